import { type Clock, type Logger, messageOf, toError } from "@weir/base";
import { affectedWorkloads, type FluxEvent, type UpdateSpec } from "@weir/flux";
import type { JobResult } from "@weir/flux/api";
import type { EventReporter } from "../event-reporter.ts";
import type { Repo } from "../ports.ts";
import { JobError, type JobWork } from "./jobs.ts";

/**
 * Wraps work that may end with a commit: publishes its event, and updates the mirror before the job counts as done.
 * Rejects with a JobError that contains the result if the event can't be delivered.
 */
export function committing(spec: UpdateSpec, work: JobWork, deps: CommittingDependencies): JobWork {
  const { reporter, logger, clock } = deps;
  return async (id, signal) => {
    const startedAt = new Date(clock.now());
    const result = await reporter.watching(`job ${id}`, work(id, signal));
    const { revision = "", pushRetries } = result;
    logger.log({ jobID: id, revision, ...(pushRetries === undefined ? {} : { pushRetries }) });
    if (revision !== "") {
      await refresh(deps, signal);
      const event = commitEvent(revision, result.spec ?? spec, { result, startedAt });
      await reporter.publish(event, signal).catch((error: unknown) => {
        throw new JobError(result, toError(error));
      });
    }
    return result;
  };
}

export interface CommittingDependencies {
  readonly repo: Pick<Repo, "refresh">;
  readonly reporter: Pick<EventReporter, "publish" | "watching">;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** The commit has been pushed, so if the mirror can't be updated now, that's only logged; its next refresh catches up. */
async function refresh({ repo, logger }: CommittingDependencies, signal: AbortSignal): Promise<void> {
  try {
    await repo.refresh(signal);
  } catch (error) {
    logger.log({ err: messageOf(error) });
  }
}

function commitEvent(
  revision: string,
  spec: UpdateSpec,
  { result: { result }, startedAt }: { readonly result: JobResult; readonly startedAt: Date },
): FluxEvent {
  return {
    workloads: affectedWorkloads(result ?? new Map()),
    startedAt,
    endedAt: startedAt,
    logLevel: "info",
    detail: { type: "commit", revision, spec, result: result ?? null },
  };
}
