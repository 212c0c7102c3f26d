import { type ReactNode, useState } from "react";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Table } from "../../ui/table.tsx";
import { PlaceFields, type PlaceValue, useOwnPlace } from "./grant-fields.tsx";
import { PlaceText } from "./place-text.tsx";

/** Where changes need a second person. */
export function Approvals(): ReactNode {
  const rules = useAnswer("approvalRules", {});
  const remove = useChange("removeApprovalRule");
  const [adds, setAdds] = useState(false);
  return (
    <>
      <div className="bar-of-actions">
        <p>Where a rule holds, somebody else has to approve the exact plan of a change.</p>
        <Button look="primary" icon="plus" onClick={() => setAdds(true)}>
          Add a rule
        </Button>
      </div>
      {remove.error !== null && <Failure error={remove.error} />}
      <Rows from={rules} lines={3} empty={<Empty title="No change needs a second person." />}>
        {(rows) => (
          <Table columns={["Where"]} actions="Remove">
            {rows.map((rule) => (
              <tr key={rule.id}>
                <th scope="row" data-label="Where">
                  <PlaceText place={rule} />
                </th>
                <td className="end">
                  <Button look="quiet" onClick={() => remove.mutate({ params: { rule: rule.id } })}>
                    Remove
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Rows>
      {adds && <RuleDialog onClose={() => setAdds(false)} />}
    </>
  );
}

function RuleDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const add = useChange("addApprovalRule");
  const [place, setPlace] = useState<PlaceValue>(useOwnPlace());
  return (
    <Dialog title="Add a rule" onClose={onClose}>
      <Form
        submit="Add"
        busy={add.isPending}
        error={add.error}
        onCancel={onClose}
        onSubmit={() => add.mutate({ body: place }, { onSuccess: onClose })}
      >
        <PlaceFields value={place} onValue={setPlace} />
      </Form>
    </Dialog>
  );
}
