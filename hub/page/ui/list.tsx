import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { counted } from "../text/count.ts";
import { Failure } from "./failure.tsx";
import { More } from "./more.tsx";
import { Skeleton } from "./skeleton.tsx";

/** A list that's read in pages: on its way, failed, empty, or with rows and a way to more of them. */
export function List<Row>({
  from,
  noun,
  empty,
  children,
}: {
  readonly from: UseInfiniteQueryResult<readonly Row[]>;
  /** What a row is called, for screen readers. */
  readonly noun: string;
  readonly empty: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}): ReactNode {
  const { data, error, isFetching, isPlaceholderData, hasNextPage, refetch } = from;
  if (data === undefined) {
    return error === null || isFetching ? (
      <Skeleton lines={10} />
    ) : (
      <Failure error={error} retry={() => void refetch()} />
    );
  }
  return (
    <div className={isPlaceholderData ? "list waiting" : "list"} aria-busy={isPlaceholderData}>
      <p className="hidden" role="status">
        {`${counted(data.length, noun)}${hasNextPage ? ", and there are more" : ""}`}
      </p>
      {data.length === 0 ? empty : children(data)}
      <More from={from} />
    </div>
  );
}
