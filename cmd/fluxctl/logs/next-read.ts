import type { ContainerView } from "./pod.ts";

/** How far the log of a container was read. */
export interface Progress {
  /** The last run that was read to its end; "" if there was none before the first that is to be read. */
  readonly done: string;
  /** How often the container had restarted then. */
  readonly restarts: number;
}

/** What to do next with the log of a container. */
export type Step =
  /** There is nothing to read until the container changes. */
  | { readonly kind: "wait" }
  /** There will be nothing more to read. */
  | { readonly kind: "end" }
  | {
      readonly kind: "read";
      readonly run: string;
      /** True to ask for the log of the run before the current one. */
      readonly previous: boolean;
      /** True if the run is known to have ended: when it's read, all of it was read. */
      readonly hasEnded: boolean;
      /** Runs whose logs the cluster no longer gives. */
      readonly lost: number;
    };

/** The beginning: what ran before the current run doesn't count. */
export function progressFrom({ previous, restarts }: ContainerView): Progress {
  return { done: previous ?? "", restarts: restarts - 1 };
}

/** Decides what to read; `isOver` means that the container won't run again, and `isGone` that its pod is deleted. */
export function nextRead(
  { run, previous, restarts, isRunning }: ContainerView,
  { isOver, isGone }: { readonly isOver: boolean; readonly isGone: boolean },
  progress: Progress,
): Step {
  if (isGone) {
    return { kind: "end" };
  }
  if (run === undefined || run === progress.done) {
    return { kind: isOver ? "end" : "wait" };
  }
  const lost = Math.max(0, restarts - progress.restarts - 2);
  return previous === undefined || previous === progress.done
    ? { kind: "read", run, previous: false, hasEnded: !isRunning, lost: 0 }
    : { kind: "read", run: previous, previous: true, hasEnded: true, lost };
}

/** The progress after a run was read to its end. */
export function afterRead(
  { run, previous }: Extract<Step, { readonly kind: "read" }>,
  { restarts }: ContainerView,
): Progress {
  return { done: run, restarts: previous ? restarts - 1 : restarts };
}
