import type { ResourceError } from "@weir/flux";
import type { LastSyncReport } from "@weir/flux/api";

/** The sync that somebody waits for. */
export interface AwaitedSync {
  /** The full hash of the commit. */
  readonly revision: string;
  /** When a sync ended that failed and is going to be repeated; how it ended doesn't count. */
  readonly since?: Date | undefined;
}

/** How a sync ended, or that it hasn't. */
export type SyncVerdict =
  | { readonly kind: "waiting" }
  | { readonly kind: "applied" }
  /** `failure` is why it didn't complete, or "" where only some resources have errors. */
  | { readonly kind: "failed"; readonly failure: string; readonly errors: readonly ResourceError[] };

/**
 * How a sync ended, from how many commits up to its revision aren't applied yet, and what fluxd said after that. A
 * later sync counts, too, if it has applied the revision.
 */
export function judgeSync(
  { revision, since }: AwaitedSync,
  missing: number,
  last: LastSyncReport,
): SyncVerdict {
  const isRepeated = since === undefined || last.endedAt?.getTime() !== since.getTime();
  const isApplied = missing === 0 && !last.isRunning;
  if (!isRepeated || !(isApplied || last.revision === revision)) {
    return { kind: "waiting" };
  }
  const { failure, errors } = last;
  return failure === "" && errors.length === 0 ? { kind: "applied" } : { kind: "failed", failure, errors };
}

/** True if a sync ended with a failure, or with errors of resources. */
export function hasFailed({ failure, errors }: LastSyncReport): boolean {
  return failure !== "" || errors.length > 0;
}

/** The most errors to show. */
const shownErrors = 20;

/** A line for each resource that couldn't be applied, with its file and the error. */
export function resourceErrorLines(errors: readonly ResourceError[]): readonly string[] {
  const lines = errors
    .slice(0, shownErrors)
    .map(({ id, source, error }) => `${id}${source === "" ? "" : ` (${source})`}: ${error.trim()}`);
  const more = errors.length - shownErrors;
  return more > 0 ? [...lines, `... and ${more} more; to list all: fluxctl tree -a --unhealthy`] : lines;
}

/** What went wrong, in a phrase. */
export function describeFailure(failure: string, errors: readonly ResourceError[]): string {
  if (failure !== "") {
    return `the sync failed: ${failure}`;
  }
  return errors.length === 1
    ? "1 resource could not be applied"
    : `${errors.length} resources could not be applied`;
}

/** What to do about it. */
export function adviceOnFailedSync(failure: string): string {
  return failure === "" || failure.startsWith("loading resources from repo")
    ? "Fix this in git, and push. fluxd syncs a new commit at once, and tries this one again at every sync."
    : "fluxd tries again at every sync. To see what it lacks: fluxctl check";
}
