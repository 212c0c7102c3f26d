import { queryOptions, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Session } from "../../src/contract/access.ts";
import type { Api } from "./api.ts";
import { useApi } from "./context.ts";
import { isLoggedOut } from "./problem.ts";

/** Under which key it's kept who is logged in. */
export const sessionKey = ["session"] as const;

/** Asks who is logged in; null if nobody is. That's no error, so that asking again leaves what is shown alone. */
export function useSessionAnswer(): UseQueryResult<Session | null> {
  return useQuery(sessionQuery(useApi()));
}

/** The question who is logged in. */
export function sessionQuery(api: Api) {
  return queryOptions({
    queryKey: sessionKey,
    queryFn: async ({ signal }): Promise<Session | null> => {
      try {
        const session = await api.call("session", {}, signal);
        // Before anything is drawn that asks with it.
        api.trust(session.csrfToken);
        return session;
      } catch (error) {
        if (isLoggedOut(error)) {
          return null;
        }
        throw error;
      }
    },
  });
}
