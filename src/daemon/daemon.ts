/**
 * The daemon: what it is asked through the API, and the loop that does it. It sees git, manifests and the
 * cluster through ports; cmd/fluxd fits them together. After Flux v1's pkg/daemon.
 */

import type {
  ApiServer,
  Change,
  GitConfigReport,
  JobResult,
  JobStatusReport,
  ListWorkloadsOptions,
  WorkloadStatusReport,
} from "../api/types/api-server.ts";
import type { Clock } from "../base/clock.ts";
import { messageOf, toError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { Wake } from "../base/wake.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { FluxEvent } from "../event/event.ts";
import { printEvent } from "../event/message.ts";
import { affectedWorkloads } from "../update/result.ts";
import type { UpdateSpec } from "../update/spec.ts";
import { notSupportedYetError } from "./errors.ts";
import { changePolicies } from "./jobs/policy-job.ts";
import { JobQueue, newJobId } from "./jobs/queue.ts";
import { JobStatuses } from "./jobs/status.ts";
import { fetchHead } from "./jobs/sync-job.ts";
import { Loop } from "./loop.ts";
import type { DaemonMetrics } from "./metrics.ts";
import type { DaemonSettings, EventSink, ManifestSource, Repo } from "./ports.ts";
import { jobStatus } from "./queries/job-status.ts";
import { listWorkloads } from "./queries/list-workloads.ts";
import { Ratchet } from "./sync/ratchet.ts";
import type { SyncState } from "./sync/state.ts";
import { syncTo } from "./sync/sync.ts";

/** As Flux v1, which however counts every state of a job as one. */
const rememberedJobs = 100;

/** All that the daemon works with. */
export interface DaemonDependencies {
  readonly version: string;
  readonly settings: DaemonSettings;
  readonly repo: Repo;
  readonly manifests: ManifestSource;
  readonly cluster: Cluster;
  readonly syncState: SyncState;
  readonly metrics: DaemonMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Where events go besides the log; undefined where there is no upstream. */
  readonly eventSink?: EventSink;
}

/** Answers the API and keeps the cluster in step; `run` does the work. */
export class Daemon implements ApiServer {
  readonly #deps: DaemonDependencies;
  readonly #jobs: JobQueue;
  readonly #statuses = new JobStatuses(rememberedJobs);
  readonly #wake = new Wake();
  readonly #ratchet: Ratchet;
  readonly #loop: Loop;

  constructor(given: DaemonDependencies) {
    const deps = { ...given, logger: given.logger.with({ component: "daemon" }) };
    this.#deps = deps;
    this.#jobs = new JobQueue((length) => deps.metrics.setQueueLength(length));
    this.#ratchet = new Ratchet(deps.syncState, given.logger.with({ component: "sync-loop" }));
    const publish = (event: FluxEvent, signal: AbortSignal): Promise<void> => this.#publish(event, signal);
    this.#loop = new Loop({
      ...deps,
      jobs: this.#jobs,
      wake: this.#wake,
      logger: given.logger.with({ component: "sync-loop" }),
      sync: (revision, signal) => syncTo(revision, this.#ratchet, { ...deps, publish }, signal),
    });
  }

  /** Works until `signal` is aborted; resolves when all has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.#deps.settings.syncOnDrift
      ? this.#deps.cluster.onDrift(() => this.#loop.askForSync())
      : undefined;
    try {
      await this.#loop.run(signal);
    } finally {
      unsubscribe?.();
    }
  }

  version(): string {
    return this.#deps.version;
  }

  ping(signal: AbortSignal): Promise<void> {
    return this.#deps.cluster.ping(signal);
  }

  exportAll(signal: AbortSignal): Promise<string> {
    return this.#deps.cluster.exportAll(signal);
  }

  listWorkloads(
    options: ListWorkloadsOptions,
    signal: AbortSignal,
  ): Promise<readonly WorkloadStatusReport[]> {
    return listWorkloads(options, this.#deps, signal);
  }

  /** As Flux v1: only a change of another branch of our own repository is left out. */
  notifyChange(change: Change): Promise<void> {
    const { repo, settings, logger } = this.#deps;
    if (change.kind === "git") {
      if (repo.isEquivalent(change.url) && change.branch !== settings.branch) {
        logger.log({ msg: "notified about unrelated change", url: change.url, branch: change.branch });
      } else {
        repo.notify();
      }
    }
    return Promise.resolve();
  }

  updateManifests(spec: UpdateSpec): Promise<string> {
    switch (spec.type) {
      case "sync":
        return Promise.resolve(this.#queue((_id, signal) => fetchHead(this.#deps.repo, signal)));
      case "policy":
        return Promise.resolve(this.#queue((id, signal) => this.#changePolicies(id, spec, signal)));
      case "image":
      case "containers":
        return Promise.reject(notSupportedYetError("releasing images"));
      case "auto":
        return Promise.reject(new Error(`unknown update type "auto"`));
    }
  }

  jobStatus(id: string, signal: AbortSignal): Promise<JobStatusReport> {
    return jobStatus(id, this.#statuses, this.#deps.repo, this.#deps.settings.paths, signal);
  }

  async syncStatus(ref: string, signal: AbortSignal): Promise<readonly string[]> {
    const { repo, settings, syncState } = this.#deps;
    const synced = await syncState.revision(signal);
    const commits = await repo.commitsBetween(synced, ref, settings.paths, signal);
    return commits.map(({ revision }) => revision);
  }

  async gitRepoConfig(regenerate: boolean, signal: AbortSignal): Promise<GitConfigReport> {
    const { repo, settings, cluster } = this.#deps;
    const publicSshKey = await cluster.publicSshKey(regenerate, signal);
    const { status, error } = repo.status();
    return {
      url: repo.safeUrl,
      branch: settings.branch,
      path: settings.paths.join(","),
      publicSshKey,
      status,
      errors: error,
    };
  }

  #queue(work: (id: string, signal: AbortSignal) => Promise<JobResult>): string {
    const id = newJobId();
    const { clock } = this.#deps;
    this.#statuses.set(id, { state: "queued", error: "", result: {} });
    this.#jobs.add({ id, enqueuedAt: clock.now(), run: (signal) => this.#execute(id, work, signal) });
    this.#wake.wake();
    return id;
  }

  async #execute(
    id: string,
    work: (id: string, signal: AbortSignal) => Promise<JobResult>,
    signal: AbortSignal,
  ): Promise<void> {
    const timed = AbortSignal.any([signal, AbortSignal.timeout(this.#deps.settings.syncTimeout)]);
    this.#statuses.set(id, { state: "running", error: "", result: {} });
    try {
      const result = await work(id, timed);
      this.#statuses.set(id, { state: "succeeded", error: "", result });
    } catch (error) {
      this.#statuses.set(id, { state: "failed", error: messageOf(error), result: {} });
      throw toError(error);
    }
  }

  async #changePolicies(
    id: string,
    spec: Extract<UpdateSpec, { type: "policy" }>,
    signal: AbortSignal,
  ): Promise<JobResult> {
    const startedAt = new Date(this.#deps.clock.now());
    const askForSync = (): void => this.#loop.askForSync();
    const result = await changePolicies(id, spec, { ...this.#deps, askForSync }, signal);
    this.#deps.logger.log({ jobID: id, revision: result.revision ?? "" });
    if (result.revision !== undefined) {
      await this.#publishCommit(result.revision, spec, result, startedAt, signal);
      await this.#deps.repo.refresh(signal);
    }
    return result;
  }

  #publishCommit(
    revision: string,
    spec: UpdateSpec,
    { result }: JobResult,
    startedAt: Date,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#publish(
      {
        workloads: affectedWorkloads(result ?? new Map()),
        startedAt,
        endedAt: startedAt,
        logLevel: "info",
        detail: { type: "commit", revision, spec, result: result ?? null },
      },
      signal,
    );
  }

  /** Tells of an event: one log line always, and the upstream where there is one. */
  async #publish(event: FluxEvent, signal: AbortSignal): Promise<void> {
    const { eventSink, logger } = this.#deps;
    logger.log({ event: printEvent(event), logupstream: eventSink ? "true" : "false" });
    await eventSink?.(event, signal);
  }
}
