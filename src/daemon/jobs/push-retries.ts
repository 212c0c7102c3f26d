import { type Logger, messageOf } from "@weir/base";
import { FluxError, overtakenIn, type ResourceId } from "@weir/flux";
import type { JobResult } from "@weir/flux/api";
import type { DaemonSettings, Repo } from "../ports.ts";

/** A description of what each change is based on and what it is: the same text means the same change. */
export type ChangeBasis = ReadonlyMap<ResourceId, string>;

/** Makes a change on the current head of the branch, from a fresh clone to the push. */
export type Attempt = (guard: RetryGuard) => Promise<JobResult>;

/** Keeps a retry from making changes that the first attempt didn't. */
export class RetryGuard {
  /** False if nothing is retried, so that the basis of changes needn't be known. */
  readonly isNeeded: boolean;
  #first: ChangeBasis | undefined;

  constructor(isNeeded: boolean) {
    this.isNeeded = isNeeded;
  }

  /**
   * Call before each commit. Throws a FluxError if a change isn't the same as in the first attempt because the workload
   * was changed upstream: what was asked for might no longer be right.
   */
  check(basis: ChangeBasis): void {
    if (this.#first === undefined) {
      this.#first = basis;
      return;
    }
    for (const [id, text] of basis) {
      if (this.#first.get(id) !== text) {
        throw changedMeanwhile(id);
      }
    }
  }
}

/**
 * Makes a change. If its push is refused because somebody else pushed first, fetches the new head and makes the change
 * again there, as often as the settings allow. Rejects with the error of the last attempt.
 */
export async function retryOvertaken(
  jobId: string,
  attempt: Attempt,
  deps: RetryDependencies,
  signal: AbortSignal,
): Promise<JobResult> {
  const most = deps.settings.pushRetries;
  const guard = new RetryGuard(most > 0);
  for (let retries = 0; ; retries += 1) {
    const before = most > retries ? await deps.repo.branchHead(signal) : "";
    try {
      const result = await attempt(guard);
      return retries === 0 || result.revision === undefined ? result : { ...result, pushRetries: retries };
    } catch (error) {
      if (retries >= most || overtakenIn(error) === undefined) {
        throw error;
      }
      const head = await newHead(before, deps, signal);
      if (head === undefined) {
        throw error;
      }
      const msg = "somebody else pushed first; making the change again on the new head";
      deps.logger.log({ jobID: jobId, msg, head, retry: retries + 1, of: most });
    }
  }
}

export interface RetryDependencies {
  readonly settings: Pick<DaemonSettings, "pushRetries">;
  readonly repo: Pick<Repo, "refresh" | "branchHead">;
  readonly logger: Logger;
}

/** Undefined if it can't be fetched or is the same as before, so that another attempt wouldn't succeed either. */
async function newHead(
  before: string,
  { repo, logger }: RetryDependencies,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await repo.refresh(signal);
    const head = await repo.branchHead(signal);
    return head === before ? undefined : head;
  } catch (error) {
    logger.log({ err: messageOf(error) });
    return undefined;
  }
}

function changedMeanwhile(id: ResourceId): FluxError {
  const message = `not pushed again: ${id} was changed on the branch after the change was calculated`;
  return new FluxError(
    "user",
    message,
    `The change wasn't made, because of commits that were pushed at the same time.

    ${message}

Look at the new commits. If you still want the change, ask for it again.
`,
  );
}
