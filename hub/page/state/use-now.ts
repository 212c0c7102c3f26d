import { useSyncExternalStore } from "react";

/** How often times such as "4 min ago" are written again, in milliseconds. */
const step = 15_000;

/** The time, in milliseconds, to the last quarter of a minute, so that all of the page shows the same. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / step) * step);
}

function subscribe(listener: () => void): () => void {
  const timer = window.setInterval(listener, step);
  return () => window.clearInterval(timer);
}
