import { type ReactNode, useState } from "react";
import type { Grant } from "../../../src/contract/access.ts";
import { useChange } from "../../api/use-answer.ts";
import { CopiedText } from "../../ui/copied-text.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { GrantFields, useOwnPlace } from "./grant-fields.tsx";

/** Makes a link with which one person can make an account. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const invite = useChange("invite");
  const [login, setLogin] = useState("");
  const [grant, setGrant] = useState<Grant>({ role: "viewer", ...useOwnPlace() });
  return (
    <Dialog title="Invite" onClose={onClose}>
      {invite.data === undefined ? (
        <Form
          submit="Make the link"
          busy={invite.isPending}
          error={invite.error}
          onCancel={onClose}
          onSubmit={() => invite.mutate({ body: { login, grants: [grant] } })}
        >
          <TextField
            label="Name to log in with"
            name="login"
            help="Empty: whoever opens the link chooses it."
            value={login}
            onValue={setLogin}
            maxLength={200}
          />
          <GrantFields value={grant} onValue={setGrant} />
        </Form>
      ) : (
        <div className="form">
          <p>Send this link to one person. It works once, and is shown only now.</p>
          <CopiedText label="Link" text={new URL(invite.data.path, location.origin).href} />
          <p className="help">
            It’s valid until{" "}
            <time dateTime={invite.data.expiresAt}>{new Date(invite.data.expiresAt).toLocaleString()}</time>.
          </p>
        </div>
      )}
    </Dialog>
  );
}
