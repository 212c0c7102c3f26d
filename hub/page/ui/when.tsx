import type { ReactNode } from "react";
import { useNow } from "../state/use-now.ts";
import { ago, exactTime } from "../text/time.ts";

/** How long ago something was; the exact time is its title. */
export function When({ at }: { readonly at: string }): ReactNode {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)}>
      {ago(at, now)}
    </time>
  );
}
