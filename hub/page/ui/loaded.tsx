import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FailedScreen } from "./failed-screen.tsx";
import { Failure } from "./failure.tsx";
import { Skeleton } from "./skeleton.tsx";

/** Shows an answer when it's there; until then that it's on its way, or why it isn't coming. */
export function Loaded<Data>({
  from: { data, error, isFetching, refetch },
  lines = 6,
  isScreen = false,
  children,
}: {
  readonly from: Pick<UseQueryResult<Data>, "data" | "error" | "isFetching" | "refetch">;
  /** About how many lines will be shown. */
  readonly lines?: number;
  /** Whether nothing else is on the screen, so that what went wrong needs a heading. */
  readonly isScreen?: boolean;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  if (data !== undefined) {
    return children(data);
  }
  if (error === null || isFetching) {
    return <Skeleton lines={lines} />;
  }
  const Failed = isScreen ? FailedScreen : Failure;
  return <Failed error={error} retry={() => void refetch()} />;
}
