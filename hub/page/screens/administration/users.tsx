import { type ReactNode, useState } from "react";
import type { User } from "../../../src/contract/access.ts";
import { useChange, usePages } from "../../api/use-answer.ts";
import { useSession } from "../../state/session.ts";
import { useFilters } from "../../state/use-location.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CopiedText } from "../../ui/copied-text.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Failure } from "../../ui/failure.tsx";
import { List } from "../../ui/list.tsx";
import { useNotice } from "../../ui/notices.tsx";
import { Popup } from "../../ui/popup.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { UserTokens } from "./user-tokens.tsx";

const filters = { q: { kind: "text" } } as const;

/** Who has an account. */
export function Users(): ReactNode {
  const [{ q }, set] = useFilters(filters);
  const users = usePages("users", { limit: 100, ...(q === "" ? {} : { q }) });
  const [invites, setInvites] = useState(false);
  return (
    <>
      <div className="filters">
        <SearchBox label="Search users" value={q} onValue={(next) => set({ q: next })} />
        <Button look="primary" icon="plus" onClick={() => setInvites(true)}>
          Invite
        </Button>
      </div>
      <List from={users} noun="user" empty={<Empty title="No user matches." />}>
        {(rows) => (
          <Table columns={["User", "Groups", "Last login"]} actions="Actions">
            {rows.map((user) => (
              <UserRow key={user.id} user={user} />
            ))}
          </Table>
        )}
      </List>
      <Invitations />
      {invites && <InviteDialog onClose={() => setInvites(false)} />}
    </>
  );
}

function UserRow({
  user: { id, login, name, email, groups, lastLoginAt, disabledAt },
}: {
  readonly user: User;
}): ReactNode {
  const isSelf = useSession().user.id === id;
  return (
    <tr>
      <th scope="row" data-label="User">
        <span className="break">{name === "" ? login : name}</span>{" "}
        {disabledAt !== null && <Badge tone="bad">Disabled</Badge>}
        <span className="under break">{email === "" ? login : `${login} · ${email}`}</span>
      </th>
      <td data-label="Groups" className="break">
        {groups.join(", ")}
      </td>
      <td data-label="Last login">{lastLoginAt === null ? "Never" : <When at={lastLoginAt} />}</td>
      <td className="end">
        {!isSelf && <UserActions id={id} login={login} disabled={disabledAt !== null} />}
      </td>
    </tr>
  );
}

function UserActions({
  id,
  login,
  disabled,
}: {
  readonly id: string;
  readonly login: string;
  readonly disabled: boolean;
}): ReactNode {
  const notice = useNotice();
  const [showsTokens, setShowsTokens] = useState(false);
  const change = useChange("changeUser");
  const end = useChange("endUserSessions");
  const reset = useChange("resetPassword");
  const error = change.error ?? end.error ?? reset.error;
  const params = { user: id };
  return (
    <>
      <Popup label={<span className="hidden">{`Actions for ${login}`}</span>} icon="settings" align="end">
        {(close) => (
          <ul className="menu">
            <li>
              <Button look="quiet" onClick={() => reset.mutate({ params }, { onSuccess: close })}>
                Make a link for a new password
              </Button>
            </li>
            <li>
              <Button
                look="quiet"
                onClick={() => {
                  close();
                  setShowsTokens(true);
                }}
              >
                API tokens
              </Button>
            </li>
            <li>
              <Button
                look="quiet"
                onClick={() =>
                  end.mutate(
                    { params },
                    {
                      onSuccess: () => {
                        close();
                        notice(`${login} is logged out everywhere.`);
                      },
                    },
                  )
                }
              >
                End all sessions
              </Button>
            </li>
            <li>
              <Button
                look="quiet"
                onClick={() => change.mutate({ params, body: { disabled: !disabled } }, { onSuccess: close })}
              >
                {disabled ? "Allow again" : "Disable"}
              </Button>
            </li>
          </ul>
        )}
      </Popup>
      {error !== null && <Failure error={error} />}
      {showsTokens && <UserTokens user={id} login={login} onClose={() => setShowsTokens(false)} />}
      {reset.data !== undefined && (
        <Dialog title={`New password for ${login}`} onClose={() => reset.reset()}>
          <div className="form">
            <p>Whoever opens this link can set the password. It works once, and is shown only now.</p>
            <CopiedText label="Link" text={new URL(reset.data.path, location.origin).href} />
          </div>
        </Dialog>
      )}
    </>
  );
}
