import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useApi } from "../../api/context.ts";
import { useChange } from "../../api/use-answer.ts";
import { sessionKey } from "../../api/use-session-answer.ts";
import { navigate } from "../../state/use-location.ts";
import { Empty } from "../../ui/empty.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Entrance } from "./entrance.tsx";

/** The least length of a password. */
const shortest = 12;

/** Makes an account, or sets a password, with the link of an invitation: its token is behind the `#`, so that no log has it. */
export function InvitationScreen(): ReactNode {
  const [token] = useState(() => location.hash.slice(1));
  return (
    <Entrance title="Welcome">
      {token === "" ? (
        <Empty title="This link isn’t complete.">
          <p>Open the whole link of the invitation, or ask an administrator for another one.</p>
        </Empty>
      ) : (
        <InvitationForm token={token} />
      )}
    </Entrance>
  );
}

function InvitationForm({ token }: { readonly token: string }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const accept = useChange("acceptInvitation");
  const [login, setLogin] = useState("");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const body = { token, name, password, ...(login.trim() === "" ? {} : { login }) };
  return (
    <Form
      submit="Set the password and log in"
      busy={accept.isPending}
      error={accept.error}
      onSubmit={() =>
        accept.mutate(
          { body },
          {
            onSuccess: (session) => {
              api.trust(session.csrfToken);
              queries.setQueryData(sessionKey, session);
              navigate("/", { replace: true });
            },
          },
        )
      }
    >
      <TextField
        label="Name to log in with"
        name="login"
        help="Leave it empty if you have an account, or if the invitation names it."
        value={login}
        onValue={setLogin}
        autoComplete="username"
        autoFocus
      />
      <TextField label="Your name" name="name" value={name} onValue={setName} autoComplete="name" />
      <TextField
        label="Password"
        name="password"
        help={`At least ${shortest} characters.`}
        type="password"
        value={password}
        onValue={setPassword}
        autoComplete="new-password"
        minLength={shortest}
        required
      />
    </Form>
  );
}
