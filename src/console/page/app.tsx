import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { useApi } from "./api/context.ts";
import { sessionKey, useSessionAnswer } from "./api/use-session-answer.ts";
import { Screen } from "./screens/screen.tsx";
import { Shell } from "./shell/shell.tsx";
import { SessionContext } from "./state/session.ts";
import { usePathname } from "./state/use-location.ts";
import { Failure } from "./ui/failure.tsx";
import { Skeleton } from "./ui/skeleton.tsx";

const LoginScreen = lazy(async () => ({
  default: (await import("./screens/login/login-screen.tsx")).LoginScreen,
}));
const InvitationScreen = lazy(async () => ({
  default: (await import("./screens/login/invitation-screen.tsx")).InvitationScreen,
}));

/** The page: a link with an invitation opens for anybody, everything else for who is logged in. */
export function App(): ReactNode {
  const path = usePathname();
  return (
    <Suspense fallback={<Skeleton lines={3} />}>
      {path === "/invitation" ? <InvitationScreen /> : <LoggedIn />}
    </Suspense>
  );
}

function isForAnybody(name: unknown): boolean {
  return name === sessionKey[0] || name === "loginOptions";
}

function LoggedIn(): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const { data: session, error, refetch } = useSessionAnswer();
  const isOut = session === null;
  useEffect(() => {
    if (session !== undefined && session !== null) {
      api.trust(session.csrfToken);
    }
  }, [api, session]);
  useEffect(() => {
    if (isOut) {
      // Nothing stays that the next person could see.
      queries.removeQueries({ predicate: ({ queryKey }) => !isForAnybody(queryKey[0]) });
    }
  }, [queries, isOut]);
  if (isOut) {
    return <LoginScreen />;
  }
  if (session === undefined) {
    return error === null ? <Skeleton lines={3} /> : <Failure error={error} retry={() => void refetch()} />;
  }
  return (
    <SessionContext value={session}>
      <Shell>
        <Screen />
      </Shell>
    </SessionContext>
  );
}
