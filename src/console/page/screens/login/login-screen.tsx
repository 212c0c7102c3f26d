import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { apiRoot } from "../../api/address.ts";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { sessionKey } from "../../api/use-session-answer.ts";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Entrance } from "./entrance.tsx";

/** Logs in; afterwards, the page shows what its address says. */
export function LoginScreen(): ReactNode {
  const options = useAnswer("loginOptions", {});
  return (
    <Entrance title="Log in">
      <Loaded from={options} lines={4}>
        {({ passwords, openId, firstAdministrator }) => (
          <>
            {firstAdministrator && (
              <p className="help">
                Nobody has an account yet. The console’s log has a link that makes the first administrator.
              </p>
            )}
            {openId !== null && (
              <a className="button primary wide" href={openIdAddress(openId.path)}>
                {`Log in with ${openId.name}`}
              </a>
            )}
            {openId !== null && passwords && <p className="or">or</p>}
            {passwords && <PasswordForm />}
          </>
        )}
      </Loaded>
    </Entrance>
  );
}

/** The provider sends people back to where they were. */
function openIdAddress(path: string): string {
  const back = `${location.pathname}${location.search}`;
  return `${path.startsWith("/") ? path : `${apiRoot}/${path}`}?${new URLSearchParams({ back }).toString()}`;
}

function PasswordForm(): ReactNode {
  const queries = useQueryClient();
  const logIn = useChange("logIn");
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  return (
    <Form
      submit="Log in"
      busy={logIn.isPending}
      error={logIn.error}
      onSubmit={() =>
        logIn.mutate(
          { body: { login, password } },
          { onSuccess: (session) => queries.setQueryData(sessionKey, session) },
        )
      }
    >
      <TextField label="Name" value={login} onValue={setLogin} autoComplete="username" required autoFocus />
      <TextField
        label="Password"
        type="password"
        value={password}
        onValue={setPassword}
        autoComplete="current-password"
        required
      />
    </Form>
  );
}
