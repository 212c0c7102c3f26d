import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useApi } from "../api/context.ts";
import { sessionKey } from "../api/use-session-answer.ts";
import { useSession } from "../state/session.ts";
import { chooseTheme, chosenTheme, type Theme } from "../state/theme.ts";
import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/link.tsx";
import { useNotice } from "../ui/notices.tsx";

const themes: readonly (readonly [Theme, string])[] = [
  ["system", "System colors"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** One's own account, the colors, and the way out. */
export function UserMenu(): ReactNode {
  const { user, logoutPath } = useSession();
  const api = useApi();
  const queries = useQueryClient();
  const notice = useNotice();
  const [theme, setTheme] = useState(chosenTheme);
  const logOut = (): void => {
    api.call("logOut", {}).then(
      () => {
        queries.setQueryData(sessionKey, null);
        if (logoutPath !== undefined) {
          window.location.assign(logoutPath);
        }
      },
      (error: unknown) => notice(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <div className="user-menu">
      <label>
        <span className="hidden">Colors</span>
        <select
          value={theme}
          onChange={({ target }) => {
            const next = themes.find(([each]) => each === target.value)?.[0] ?? "system";
            setTheme(next);
            chooseTheme(next);
          }}
        >
          {themes.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <div className="account">
        <Link to="/account" title="Your account">
          <Icon name="user" />
          <span className="cut">{user.name === "" ? user.login : user.name}</span>
        </Link>
        <button type="button" className="button quiet" onClick={logOut} aria-label="Log out" title="Log out">
          <Icon name="exit" />
        </button>
      </div>
    </div>
  );
}
