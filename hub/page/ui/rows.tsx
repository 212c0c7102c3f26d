import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded } from "./loaded.tsx";

/** A short list, which is sent at once: on its way, failed, empty, or with rows. */
export function Rows<Row>({
  from,
  lines,
  empty,
  children,
}: {
  readonly from: Pick<
    UseQueryResult<{ readonly rows: readonly Row[] }>,
    "data" | "error" | "isFetching" | "refetch"
  >;
  /** About how many lines will be shown. */
  readonly lines?: number;
  readonly empty: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}): ReactNode {
  return (
    <Loaded from={from} {...(lines === undefined ? {} : { lines })}>
      {({ rows }) => (rows.length === 0 ? empty : children(rows))}
    </Loaded>
  );
}
