import type { ReactNode } from "react";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";

/** The API tokens of a user, to be ended. */
export function UserTokens({
  user,
  login,
  onClose,
}: {
  readonly user: string;
  readonly login: string;
  readonly onClose: () => void;
}): ReactNode {
  const tokens = useAnswer("userTokens", { params: { user } });
  const revoke = useChange("revokeUserToken");
  return (
    <Dialog title={`API tokens of ${login}`} onClose={onClose}>
      {revoke.error !== null && <Failure error={revoke.error} />}
      <Rows from={tokens} lines={3} empty={<Empty title="There are no API tokens." />}>
        {(rows) => (
          <Table columns={["Token", "Last used"]} actions="End">
            {rows.map(({ id, name, lastUsedAt }) => (
              <tr key={id}>
                <th scope="row" className="break" data-label="Token">
                  {name}
                </th>
                <td data-label="Last used">{lastUsedAt === null ? "Never" : <When at={lastUsedAt} />}</td>
                <td className="end">
                  <Button
                    look="quiet"
                    aria-label={`End ${name}`}
                    onClick={() => revoke.mutate({ params: { user, token: id } })}
                  >
                    End
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Rows>
    </Dialog>
  );
}
