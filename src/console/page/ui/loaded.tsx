import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";
import { Skeleton } from "./skeleton.tsx";

/** Shows an answer when it's there; until then that it's on its way, or why it isn't coming. */
export function Loaded<Data>({
  from: { data, error, isFetching, refetch },
  lines = 6,
  children,
}: {
  readonly from: Pick<UseQueryResult<Data>, "data" | "error" | "isFetching" | "refetch">;
  /** About how many lines will be shown. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  if (data === undefined) {
    return error === null || isFetching ? (
      <Skeleton lines={lines} />
    ) : (
      <Failure error={error} retry={() => void refetch()} />
    );
  }
  return children(data);
}
