import { type ReactNode, useState } from "react";
import { useChange, usePages } from "../../api/use-answer.ts";
import { instanceAt } from "../../state/addresses.ts";
import { Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Form } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { List } from "../../ui/list.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { NameFields } from "../instance/name-fields.tsx";
import { TokenDialog } from "./token-dialog.tsx";

/** Adds instances, and leads to their settings. */
export function InstanceAdministration(): ReactNode {
  const instances = usePages("instances", { limit: 100 });
  const create = useChange("createInstance");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="bar-of-actions">
        <p>An instance is a fluxd that may connect, with a token of its own.</p>
        <Button look="primary" icon="plus" onClick={() => setOpen(true)}>
          Add an instance
        </Button>
      </div>
      <List from={instances} noun="instance" empty={<Empty title="No instance yet." />}>
        {(rows) => (
          <Table columns={["Instance", "Connection", "Added"]}>
            {rows.map(({ id, name, description, connected, createdAt }) => (
              <tr key={id}>
                <th scope="row" data-label="Instance">
                  <Link to={instanceAt(id, "settings")} className="break">
                    {name}
                  </Link>
                  <span className="under break">{description}</span>
                </th>
                <td data-label="Connection">
                  <Status
                    of={
                      connected ? { text: "Connected", tone: "good" } : { text: "Not connected", tone: "bad" }
                    }
                  />
                </td>
                <td data-label="Added">
                  <When at={createdAt} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </List>
      {isOpen && (
        <Dialog title="Add an instance" onClose={() => setOpen(false)}>
          <NewInstance create={create} onDone={() => setOpen(false)} />
        </Dialog>
      )}
      {create.data !== undefined && <TokenDialog created={create.data} onClose={() => create.reset()} />}
    </>
  );
}

function NewInstance({
  create,
  onDone,
}: {
  readonly create: ReturnType<typeof useChange<"createInstance">>;
  readonly onDone: () => void;
}): ReactNode {
  const [names, setNames] = useState({ name: "", description: "" });
  return (
    <Form
      submit="Add"
      busy={create.isPending}
      error={create.error}
      onCancel={onDone}
      onSubmit={() => create.mutate({ body: names }, { onSuccess: onDone })}
    >
      <NameFields value={names} onValue={setNames} />
    </Form>
  );
}
