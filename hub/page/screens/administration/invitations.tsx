import type { ReactNode } from "react";
import type { Invitation } from "../../../src/contract/access.ts";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { exactTime } from "../../text/time.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";

const purposes: Readonly<Record<Invitation["purpose"], string>> = {
  "first-administrator": "First administrator",
  "new-user": "New account",
  "new-password": "New password",
};

/** The links that still work, for accounts and passwords; nothing if there are none. */
export function Invitations(): ReactNode {
  const rows = useAnswer("invitations", {}).data?.rows ?? [];
  const remove = useChange("removeInvitation");
  if (rows.length === 0) {
    return null;
  }
  return (
    <Section title="Links that still work">
      {remove.error !== null && <Failure error={remove.error} />}
      <Table columns={["For", "Made by", "Works until"]} actions="Take back">
        {rows.map(({ id, purpose, login, createdBy, expiresAt }) => {
          const what = `${purposes[purpose]}${login === "" ? "" : `: ${login}`}`;
          return (
            <tr key={id}>
              <th scope="row" className="break" data-label="For">
                {what}
              </th>
              <td data-label="Made by">{createdBy || "The console"}</td>
              <td data-label="Works until">
                <time dateTime={expiresAt}>{exactTime(expiresAt)}</time>
              </td>
              <td className="end">
                <Button
                  look="quiet"
                  aria-label={`Take back: ${what}`}
                  onClick={() => remove.mutate({ params: { invitation: id } })}
                >
                  Take back
                </Button>
              </td>
            </tr>
          );
        })}
      </Table>
    </Section>
  );
}
