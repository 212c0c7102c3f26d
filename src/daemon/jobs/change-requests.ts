import { apiLimits, type JsonValue, type Logger, weightOfJson } from "@weir/base";
import {
  type AutomatedChange,
  busyError,
  encodeUpdateSpec,
  hasPolicy,
  type ReleaseSpec,
  releaseKindOf,
  type UpdateSpec,
} from "@weir/flux";
import {
  encodeUndoRequest,
  type JobRequest,
  type JobResult,
  type JobStatusReport,
  type UndoAnswer,
  type UndoPlan,
  type UndoRequest,
} from "@weir/flux/api";
import type { Agenda } from "../agenda.ts";
import { syncSuspendedError } from "../suspension/errors.ts";
import type { Suspensions } from "../suspension/suspensions.ts";
import type { HeadVerifier } from "../sync/head-verifier.ts";
import type { SyncRunner } from "../sync/sync-runner.ts";
import { type CommittingDependencies, committing } from "./committing.ts";
import { Jobs, type JobWork } from "./jobs.ts";
import { changePolicies, type PolicyJobDependencies } from "./policy-job.ts";
import type { JobQueue } from "./queue.ts";
import { fetchHead, syncRevision } from "./sync-job.ts";
import { type UndoJobDependencies, undoCommit } from "./undo-job.ts";
import { type UpdateJobDependencies, updateImages } from "./update-job.ts";

/** As in Flux v1, which however counts each state of a job separately. */
const rememberedJobs = { count: 100, weight: apiLimits.endedJobsWeight };

/** Turns requests into jobs for the loop, and remembers how they ended. */
export class ChangeRequests {
  readonly #deps: ChangeRequestsDependencies;
  readonly #jobs: Jobs;

  constructor(deps: ChangeRequestsDependencies) {
    this.#deps = deps;
    const { queue, agenda, clock, settings } = deps;
    this.#jobs = new Jobs({
      queue,
      clock,
      timeout: settings.syncTimeout,
      remembered: rememberedJobs,
      onQueued: () => agenda.wake(),
    });
  }

  /** The state of a job; undefined for one that isn't remembered. */
  status(id: string): JobStatusReport | undefined {
    return this.#jobs.status(id);
  }

  /** Resolves to the ID of a job. Rejects with a FluxError if too much is waiting already. */
  async request(spec: UpdateSpec, signal: AbortSignal, id?: string): Promise<string> {
    switch (spec.type) {
      case "sync":
        return this.#askForHead(spec, id);
      case "policy":
        return this.#enqueue(spec, this.#changePolicies(spec), id);
      case "image":
      case "containers":
        return this.#release(spec, signal, id);
      case "auto":
        throw new Error(`unknown update type "auto"`);
    }
  }

  /**
   * Queues a job under an ID that was chosen for it, unless there's one already; resolves to the ID. Rejects with a
   * FluxError if too much is waiting already.
   */
  async requestAs({ id, work, revision }: JobRequest, signal: AbortSignal): Promise<string> {
    if (this.#jobs.status(id) !== undefined) {
      return id;
    }
    if (work.kind === "update") {
      return work.spec.type === "sync" && revision !== ""
        ? this.#askForRevision(work.spec, { id, revision })
        : this.request(work.spec, signal, id);
    }
    this.#enqueueUndo(work.request, { id, head: revision });
    return id;
  }

  /** A dry run starts immediately, and the caller waits for it. Rejects with a FluxError if too much is waiting already. */
  async undo(request: UndoRequest, signal: AbortSignal): Promise<UndoAnswer> {
    if (!request.dryRun) {
      return { job: this.#enqueueUndo(request), plan: undefined };
    }
    let plan: UndoPlan | undefined;
    const tell = (told: UndoPlan): void => {
      plan = told;
    };
    const work: JobWork = (id, each) => undoCommit(id, request, { ...this.#deps, tell }, each);
    const weight = this.#admit(specOfUndo(request), encodeUndoRequest(request));
    await this.#deps.queue.beside(weight, () => this.#jobs.runNow(work, signal));
    return { job: "", plan };
  }

  #enqueueUndo(
    request: UndoRequest,
    { id, head = "" }: { readonly id?: string; readonly head?: string } = {},
  ): string {
    const spec = specOfUndo(request);
    const work: JobWork = (own, signal) => undoCommit(own, request, { ...this.#deps, head }, signal);
    const weight = this.#admit(spec, encodeUndoRequest(request));
    return this.#jobs.enqueue(committing(spec, work, this.#deps), weight, id);
  }

  /** Queues the release of newer images, for which there's always room. */
  releaseAutomatically(changes: readonly AutomatedChange[]): void {
    const spec = { type: "auto", cause: { message: "", user: "" }, spec: changes } as const;
    this.#enqueue(spec, this.#automatedRelease(spec));
  }

  /** A caller waits until the head is applied, so that must be possible. */
  #askForHead(spec: Extract<UpdateSpec, { type: "sync" }>, id?: string): string {
    this.#requireSyncs();
    const { reapply = false } = spec;
    return this.#jobs.enqueue((_id, signal) => this.#fetchHead(reapply, signal), this.#admit(spec), id);
  }

  #askForRevision(
    spec: UpdateSpec,
    { id, revision }: { readonly id: string; readonly revision: string },
  ): string {
    this.#requireSyncs();
    return this.#jobs.enqueue(
      (_id, signal) => syncRevision(revision, this.#deps, signal),
      this.#admit(spec),
      id,
    );
  }

  #requireSyncs(): void {
    const suspension = this.#deps.suspensions.find("sync");
    if (suspension !== undefined) {
      throw syncSuspendedError(suspension);
    }
  }

  /** Whoever asks for a sync after a failed one wants it repeated, also where git is the same. */
  async #fetchHead(reapply: boolean, signal: AbortSignal): Promise<JobResult> {
    const result = await fetchHead(this.#deps, signal);
    if (reapply || this.#deps.syncs.outcome.failures.length > 0) {
      this.#deps.agenda.askForSync();
    }
    return result;
  }

  /** A dry run starts immediately, and the caller waits for it. */
  async #release(spec: ReleaseSpec, signal: AbortSignal, id?: string): Promise<string> {
    const work: JobWork = (id, each) => updateImages(id, spec, this.#deps, each);
    return releaseKindOf(spec) === "plan"
      ? this.#deps.queue.beside(this.#admit(spec), () => this.#jobs.runNow(work, signal))
      : this.#enqueue(spec, work, id);
  }

  /** Does nothing if automation was suspended while the job was waiting. */
  #automatedRelease(spec: Extract<ReleaseSpec, { type: "auto" }>): JobWork {
    return (id, signal) => {
      const isSuspended = this.#deps.suspensions.find("automation") !== undefined;
      return isSuspended ? Promise.resolve({}) : updateImages(id, spec, this.#deps, signal);
    };
  }

  #changePolicies(spec: Extract<UpdateSpec, { type: "policy" }>): JobWork {
    return async (id, signal) => {
      const result = await changePolicies(id, spec, this.#deps, signal);
      const updates = [...(spec.spec?.values() ?? [])];
      if (result.revision !== undefined && updates.some(({ add }) => hasPolicy(add ?? {}, "automated"))) {
        this.#deps.agenda.askForImages();
      }
      return result;
    };
  }

  /** Queues work that may end with a commit. Throws a FluxError if too much is waiting already. */
  #enqueue(spec: UpdateSpec, work: JobWork, id?: string): string {
    return this.#jobs.enqueue(committing(spec, work, this.#deps), this.#admit(spec), id);
  }

  /** The weight of a request if there's room for it; the daemon's own requests always have room. */
  #admit(spec: UpdateSpec, request: JsonValue = encodeUpdateSpec(spec)): number {
    const weight = weightOfJson(request);
    if (spec.type !== "auto" && !this.#deps.queue.hasRoomFor(weight)) {
      throw busyError("too many jobs are waiting");
    }
    return weight;
  }
}

export interface ChangeRequestsDependencies
  extends UpdateJobDependencies,
    UndoJobDependencies,
    PolicyJobDependencies,
    Pick<CommittingDependencies, "reporter" | "clock"> {
  readonly logger: Logger;
  /** Undefined if commits needn't be signed. */
  readonly heads: HeadVerifier | undefined;
  readonly queue: JobQueue;
  readonly agenda: Agenda;
  readonly suspensions: Pick<Suspensions, "find">;
  readonly syncs: Pick<SyncRunner, "outcome">;
}

/** An undo as a policy update, which is what its note says. */
function specOfUndo({ cause }: UndoRequest): UpdateSpec {
  return { type: "policy", cause, spec: null };
}
