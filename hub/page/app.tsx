import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { sessionKey, useSessionAnswer } from "./api/use-session-answer.ts";
import { InvitationScreen } from "./screens/login/invitation-screen.tsx";
import { LoginScreen } from "./screens/login/login-screen.tsx";
import { Screen } from "./screens/screen.tsx";
import { Shell } from "./shell/shell.tsx";
import { SessionContext } from "./state/session.ts";
import { usePathname } from "./state/use-location.ts";
import { FailedScreen } from "./ui/failed-screen.tsx";
import { Skeleton } from "./ui/skeleton.tsx";

/** The page: a link with an invitation opens for anybody, everything else for who is logged in. */
export function App(): ReactNode {
  return usePathname() === "/invitation" ? <InvitationScreen /> : <LoggedIn />;
}

function isForAnybody(name: unknown): boolean {
  return name === sessionKey[0] || name === "loginOptions";
}

function LoggedIn(): ReactNode {
  const queries = useQueryClient();
  const { data: session, error, refetch } = useSessionAnswer();
  const isOut = session === null;
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
    return error === null ? (
      <Skeleton lines={3} />
    ) : (
      <FailedScreen error={error} retry={() => void refetch()} />
    );
  }
  return (
    <SessionContext value={session}>
      <Shell>
        <Screen />
      </Shell>
    </SessionContext>
  );
}
