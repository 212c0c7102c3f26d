import { type ReactNode, useState } from "react";
import type { Grant, User } from "../../../contract/access.ts";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Failure } from "../../ui/failure.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Table } from "../../ui/table.tsx";
import { GrantFields } from "./grant-fields.tsx";
import { PlaceText } from "./place-text.tsx";

/** How many users can be chosen from. */
const mostUsers = 200;

/** Who has which role, and where. */
export function Roles(): ReactNode {
  const roles = useAnswer("roles", {});
  const users = useAnswer("users", { query: { limit: mostUsers } });
  const remove = useChange("removeRole");
  const [adds, setAdds] = useState(false);
  const nameOf = (id: string): string => users.data?.rows.find((user) => user.id === id)?.login ?? id;
  return (
    <>
      <div className="bar-of-actions">
        <p>A role holds for a user, or a group of the OpenID Connect provider.</p>
        <Button look="primary" icon="plus" onClick={() => setAdds(true)}>
          Give a role
        </Button>
      </div>
      {remove.error !== null && <Failure error={remove.error} />}
      <Loaded from={roles}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="Nobody has a role." />
          ) : (
            <Table columns={["Who", "Role", "Where"]} actions="Take away">
              {rows.map((role) => {
                const who = role.userId === null ? `Group ${role.group ?? ""}` : nameOf(role.userId);
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
          )
        }
      </Loaded>
      {adds && <RoleDialog users={users.data?.rows ?? []} onClose={() => setAdds(false)} />}
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
  const [grant, setGrant] = useState<Grant>({ role: "viewer", instanceId: null, namespace: null });
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
          value={userId}
          options={[["", "A group"], ...users.map(({ id, login }) => [id, login] as const)]}
          onValue={setUserId}
        />
        {userId === "" && <TextField label="Group" value={group} onValue={setGroup} maxLength={200} />}
        <GrantFields value={grant} onValue={setGrant} />
      </Form>
    </Dialog>
  );
}
