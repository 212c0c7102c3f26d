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
  const [problem] = useState(loginProblem);
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
            {problem !== undefined && (
              <div className="failure" role="alert">
                <p>{problem}</p>
              </div>
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

/** What went wrong at the identity provider, as the address of the page says it. */
const loginProblems: Readonly<Record<string, string>> = {
  expired: "The login took too long, or was begun in another browser. Log in again.",
  denied: "The identity provider didn’t let you in.",
  disabled: "Your account is disabled. Ask an administrator of the console.",
  "too-many": "There were too many logins. Try again in a minute.",
  unavailable: "The identity provider can’t be reached. Try again in a while.",
  failed: "The login failed. The console’s log says why.",
};

function loginProblem(): string | undefined {
  const name = new URLSearchParams(location.search).get("login") ?? "";
  return Object.hasOwn(loginProblems, name) ? loginProblems[name] : undefined;
}

/** The provider sends people back to where they were. */
function openIdAddress(path: string): string {
  const query = new URLSearchParams(location.search);
  query.delete("login");
  const back = `${location.pathname}${query.size === 0 ? "" : `?${query.toString()}`}`;
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
