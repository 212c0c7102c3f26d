import type { Clock } from "@weir/base";

/** A question whose answer counts for some time, for all who ask: however often strangers ask, few questions are put. */
export function sharedAnswer<T>(
  ask: () => Promise<T>,
  { clock, ms }: { readonly clock: Clock; readonly ms: number },
): () => Promise<T> {
  let last: { readonly answer: Promise<T>; readonly until: number } | undefined;
  return () => {
    const now = clock.now();
    if (last === undefined || now >= last.until) {
      last = { answer: ask(), until: now + ms };
    }
    return last.answer;
  };
}
