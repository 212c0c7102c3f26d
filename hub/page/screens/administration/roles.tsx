import { type ReactNode, useState } from "react";
import type { Grant, User } from "../../../src/contract/access.ts";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { useMay } from "../../state/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Failure } from "../../ui/failure.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Table } from "../../ui/table.tsx";
import { GrantFields, useOwnPlace } from "./grant-fields.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { PlaceText } from "./place-text.tsx";

/** How many users can be chosen from. */
const mostUsers = 200;

/** Who has which role, and where. */
export function Roles(): ReactNode {
  const roles = useAnswer("roles", {});
  const isForAll = useMay("administrator");
  const users = useAnswer("users", { query: { limit: mostUsers } }, { enabled: isForAll });
  const remove = useChange("removeRole");
  const [open, setOpen] = useState<"role" | "invitation">();
  return (
    <>
      <div className="bar-of-actions">
        <p>A role holds for a user, or a group of the OpenID Connect provider.</p>
        {!isForAll && (
          <Button icon="plus" onClick={() => setOpen("invitation")}>
            Invite
          </Button>
        )}
        <Button look="primary" icon="plus" onClick={() => setOpen("role")}>
          Give a role
        </Button>
      </div>
      {remove.error !== null && <Failure error={remove.error} />}
      <Rows from={roles} empty={<Empty title="Nobody has a role." />}>
        {(rows) => (
          <Table columns={["Who", "Role", "Where"]} actions="Take away">
            {rows.map((role) => {
              const who = role.login ?? `Group ${role.group ?? ""}`;
              return (
                <tr key={role.id}>
                  <th scope="row" className="break" data-label="Who">
                    {who}
                  </th>
                  <td data-label="Role">{role.role}</td>
                  <td data-label="Where">
                    <PlaceText place={role} />
                  </td>
                  <td className="end">
                    <Button
                      look="quiet"
                      aria-label={`Take away: ${role.role}, from ${who}`}
                      onClick={() => remove.mutate({ params: { role: role.id } })}
                    >
                      Take away
                    </Button>
                  </td>
                </tr>
              );
            })}
          </Table>
        )}
      </Rows>
      {open === "role" && <RoleDialog users={users.data?.rows ?? []} onClose={() => setOpen(undefined)} />}
      {open === "invitation" && <InviteDialog onClose={() => setOpen(undefined)} />}
    </>
  );
}

function RoleDialog({
  users,
  onClose,
}: {
  readonly users: readonly User[];
  readonly onClose: () => void;
}): ReactNode {
  const add = useChange("addRole");
  const [userId, setUserId] = useState("");
  const [group, setGroup] = useState("");
  const [grant, setGrant] = useState<Grant>({ role: "viewer", ...useOwnPlace() });
  return (
    <Dialog title="Give a role" onClose={onClose}>
      <Form
        submit="Give the role"
        busy={add.isPending}
        error={add.error}
        disabled={(userId === "") === (group.trim() === "")}
        onCancel={onClose}
        onSubmit={() =>
          add.mutate(
            { body: { ...grant, ...(userId === "" ? { group: group.trim() } : { userId }) } },
            { onSuccess: onClose },
          )
        }
      >
        <SelectField
          label="User"
          name="userId"
          value={userId}
          options={[["", "A group"], ...users.map(({ id, login }) => [id, login] as const)]}
          onValue={setUserId}
        />
        {userId === "" && (
          <TextField label="Group" name="group" value={group} onValue={setGroup} maxLength={200} />
        )}
        <GrantFields value={grant} onValue={setGrant} />
      </Form>
    </Dialog>
  );
}
