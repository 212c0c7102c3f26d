/**
 * The daemon: serves the requests of the API, and runs the loop that does the work. It uses git, manifests, and the
 * cluster through ports, which cmd/fluxd connects. Based on Flux v1's pkg/daemon.
 */

import {
  AnyAbort,
  abortReason,
  apiLimits,
  type Checkup,
  type Clock,
  Deadline,
  type Finding,
  type JsonValue,
  type Logger,
  messageOf,
  orAborted,
  runCheckups,
  toError,
  Wake,
  weightOfJson,
} from "@weir/base";
import type {
  ApiServer,
  Change,
  GitConfigReport,
  JobResult,
  JobStatusReport,
  ListImagesOptions,
  ListWorkloadsOptions,
  WorkloadImagesReport,
  WorkloadStatusReport,
} from "../api/types/api-server.ts";
import type { HistoryPage, HistoryQuery } from "../api/types/history.ts";
import type {
  Confirmation,
  ConfirmationReport,
  DiffQuery,
  DiffReport,
  EventsQuery,
  ImageScan,
  ImageScansQuery,
  Inspection,
  LastSyncReport,
  LoggedEvent,
  PendingReport,
  StatusQuery,
  StatusReport,
  SyncSettings,
  TreeChangeQuery,
  TreeQuery,
  TreeReport,
  VerificationReport,
} from "../api/types/inspection.ts";
import type { ResumeRequest, SuspendRequest, Suspension, SuspensionReport } from "../api/types/suspension.ts";
import type { UndoAnswer, UndoPlan, UndoRequest } from "../api/types/undo.ts";
import { encodeUndoRequest } from "../api/types/v12-undo.ts";
import type { WhyQuery, WhyReport } from "../api/types/why.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { ResourceError } from "../cluster/sync-set.ts";
import { busyError } from "../errors/busy.ts";
import type { FluxEvent } from "../event/event.ts";
import { printEvent } from "../event/message.ts";
import type { ImageName } from "../image/name.ts";
import type { ImageRegistry } from "../image/registry.ts";
import type { ResourceId } from "../resource/id.ts";
import { hasPolicy } from "../resource/policy.ts";
import { affectedWorkloads } from "../update/result.ts";
import { type ReleaseSpec, releaseKindOf, type UpdateSpec } from "../update/spec.ts";
import { encodeUpdateSpec } from "../update/wire.ts";
import { pollImages } from "./automation.ts";
import { gitCheckup } from "./checks/git.ts";
import { signatureCheckup } from "./checks/signatures.ts";
import { suspensionCheckup } from "./checks/suspension.ts";
import { syncCheckup } from "./checks/sync.ts";
import { type ConfirmDependencies, confirmDeletions, pendingDeletions } from "./confirm-deletions.ts";
import { EventLog } from "./event-log.ts";
import type { DoneSync } from "./history/ring.ts";
import { createMemoryHistoryStore, type HistoryStore, SyncHistory } from "./history/sync-history.ts";
import { JobError, Jobs, type JobWork } from "./jobs/jobs.ts";
import { changePolicies } from "./jobs/policy-job.ts";
import { JobQueue } from "./jobs/queue.ts";
import { fetchHead } from "./jobs/sync-job.ts";
import { undoCommit } from "./jobs/undo-job.ts";
import { updateImages } from "./jobs/update-job.ts";
import { Loop } from "./loop.ts";
import type { DaemonMetrics } from "./metrics.ts";
import type { DaemonSettings, EventSink, ManifestSource, Repo } from "./ports.ts";
import { diff } from "./queries/diff.ts";
import { history } from "./queries/history.ts";
import { imageScans } from "./queries/image-scans.ts";
import { jobStatus } from "./queries/job-status.ts";
import { listImages } from "./queries/list-images.ts";
import { listWorkloads } from "./queries/list-workloads.ts";
import { status } from "./queries/status.ts";
import { tree } from "./queries/tree.ts";
import { verification } from "./queries/verification.ts";
import { why } from "./queries/why/why.ts";
import { SuspendedError, syncSuspendedError } from "./suspension/errors.ts";
import { type SuspensionStore, Suspensions } from "./suspension/suspensions.ts";
import { HeadVerifier } from "./sync/head-verifier.ts";
import { SyncOutcome } from "./sync/outcome.ts";
import { Ratchet } from "./sync/ratchet.ts";
import type { SyncState } from "./sync/state.ts";
import { type SyncLimits, syncTo, type WaitingSync } from "./sync/sync.ts";
import { syncErrorText } from "./sync/sync-error.ts";
import { TreeChanges } from "./tree-changes.ts";

/** As in Flux v1, which however counts each state of a job separately. */
const rememberedJobs = { count: 100, weight: apiLimits.endedJobsWeight };

const rememberedEvents = { count: 500, weight: apiLimits.eventsWeight };

const waitingJobs = { jobs: apiLimits.waitingJobs, weight: apiLimits.waitingJobsWeight };

/** The time limit for all checks together, in milliseconds; shorter than fluxctl's own. */
const checkTimeout = 45_000;

/** How long a request to suspend syncing waits for the sync that it stops, in milliseconds. */
const stopTimeout = 10_000;

/** The daemon's dependencies. */
export interface DaemonDependencies {
  readonly version: string;
  readonly settings: DaemonSettings;
  /** For whoever wants to know what a sync would do with other manifests. */
  readonly syncSettings: SyncSettings;
  readonly repo: Repo;
  readonly manifests: ManifestSource;
  readonly cluster: Cluster;
  readonly images: ImageRegistry;
  /** Called when a notice says that an image has something new, possibly with its tags. */
  readonly onImageNotice?: (name: ImageName, tags: readonly string[]) => void;
  readonly syncState: SyncState;
  /** Where the next fluxd finds what is suspended. */
  readonly suspensions: SuspensionStore;
  /** Additional checks besides git and syncs. */
  readonly checkups: readonly Checkup[];
  /** Additional checks that take little, which are also part of the status. */
  readonly conditions: readonly Checkup[];
  readonly metrics: DaemonMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Receives events in addition to the log; undefined if there's no upstream. */
  readonly eventSink?: EventSink;
  /** Keeps the history of syncs across restarts; by default, it ends with the process. */
  readonly historyStore?: HistoryStore;
}

/** Verifies the branch; undefined if commits needn't be signed. */
interface Verifying {
  readonly heads: HeadVerifier | undefined;
}

/** Serves the API and keeps the cluster in sync with git; `run` does the work. */
export class Daemon implements ApiServer, Inspection {
  readonly #deps: DaemonDependencies & Verifying;
  readonly #queue: JobQueue;
  readonly #jobs: Jobs;
  readonly #wake = new Wake();
  readonly #ratchet: Ratchet;
  readonly #loop: Loop;
  readonly #events: EventLog;
  readonly #lastSync: SyncOutcome;
  readonly #treeChanges: TreeChanges;
  readonly #suspensions: Suspensions;
  /** Settles, always successfully, when no sync is running. */
  #syncing: Promise<unknown> = Promise.resolve();
  readonly #history: SyncHistory;
  #waitingSync: WaitingSync | undefined;
  /** The dependencies of Flux v1's queries, which show the head of the branch even if it isn't verified. */
  readonly #listed: DaemonDependencies & Verifying;

  constructor(given: DaemonDependencies) {
    const { repo, syncState, settings } = given;
    const mode = settings.verifySignatures;
    const heads = mode === "none" ? undefined : new HeadVerifier({ repo, syncState, mode });
    const deps = { ...given, heads, logger: given.logger.with({ component: "daemon" }) };
    this.#deps = deps;
    // Generators run commands, and those of a commit that isn't verified may be anybody's.
    this.#listed = settings.manifestGeneration ? deps : { ...deps, heads: undefined };
    this.#events = new EventLog(deps.clock, rememberedEvents);
    this.#lastSync = new SyncOutcome(deps.clock);
    this.#treeChanges = new TreeChanges(deps.clock);
    const { clock, historyStore: store = createMemoryHistoryStore() } = deps;
    this.#history = new SyncHistory({ store, clock, logger: deps.logger });
    this.#queue = new JobQueue(waitingJobs, (length) => deps.metrics.setQueueLength(length));
    this.#jobs = new Jobs({
      queue: this.#queue,
      clock: deps.clock,
      timeout: deps.settings.syncTimeout,
      remembered: rememberedJobs,
      onQueued: () => this.#wake.wake(),
    });
    this.#suspensions = new Suspensions({
      store: deps.suspensions,
      clock: deps.clock,
      logger: deps.logger,
      setSuspended: (what, isSuspended) => deps.metrics.setSuspended(what, isSuspended),
      note: (type, message) => this.#events.addNotice(type, message),
      onResumed: () => {
        this.#loop.askForSync();
        this.#loop.askForImages();
      },
    });
    this.#ratchet = new Ratchet(deps.syncState, given.logger.with({ component: "sync-loop" }));
    this.#loop = new Loop({
      ...deps,
      jobs: this.#queue,
      wake: this.#wake,
      logger: given.logger.with({ component: "sync-loop" }),
      sync: (revision, limits) => this.#sync(revision, limits),
      isSuspended: (what) => this.#suspensions.find(what) !== undefined,
      pollImages: (signal) => this.#automate(signal),
    });
  }

  /** Works until `signal` is aborted; resolves when everything has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { cluster, repo, settings } = this.#deps;
    const noteChange = (): void => this.#treeChanges.note();
    const subscriptions = [
      cluster.onChange(noteChange),
      repo.onRefreshed(noteChange),
      ...(settings.syncOnDrift ? [cluster.onDrift(() => this.#loop.askForSync())] : []),
    ];
    try {
      await this.#suspensions.load(signal).catch((error: unknown) => {
        if (!signal.aborted) {
          throw error;
        }
      });
      await this.#loop.run(signal);
    } finally {
      subscriptions.forEach((unsubscribe) => unsubscribe());
      this.#suspensions.close();
      await this.#history.settled();
    }
  }

  /** Requests a look for newer images soon. */
  askForImages(): void {
    this.#loop.askForImages();
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
    return listWorkloads(options, this.#listed, signal);
  }

  listImages(options: ListImagesOptions, signal: AbortSignal): Promise<readonly WorkloadImagesReport[]> {
    return listImages(options, this.#listed, signal);
  }

  /** As in Flux v1, only a change to another branch of our own repository is ignored. */
  notifyChange(change: Change): Promise<void> {
    const { repo, settings, logger, onImageNotice } = this.#deps;
    if (change.kind === "git") {
      if (repo.isEquivalent(change.url) && change.branch !== settings.branch) {
        logger.log({ msg: "notified about unrelated change", url: change.url, branch: change.branch });
      } else {
        repo.notify();
      }
    } else {
      onImageNotice?.(change.name, change.tags ?? []);
    }
    return Promise.resolve();
  }

  updateManifests(spec: UpdateSpec, signal: AbortSignal): Promise<string> {
    switch (spec.type) {
      case "sync":
        return this.#askForHead(spec);
      case "policy":
        return this.#enqueue(spec, this.#committing(spec, this.#changePolicies(spec)));
      case "image":
      case "containers":
        return this.#release(spec, signal);
      case "auto":
        return Promise.reject(new Error(`unknown update type "auto"`));
    }
  }

  jobStatus(id: string, signal: AbortSignal): Promise<JobStatusReport> {
    const { repo, settings } = this.#deps;
    return jobStatus(id, { jobs: this.#jobs, repo, paths: settings.paths }, signal);
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

  events(query: EventsQuery, signal: AbortSignal): Promise<readonly LoggedEvent[]> {
    return this.#events.events(query, signal);
  }

  diff(query: DiffQuery, signal: AbortSignal): Promise<DiffReport> {
    return diff(query, this.#deps, signal);
  }

  syncSettings(): Promise<SyncSettings> {
    return Promise.resolve(this.#deps.syncSettings);
  }

  async tree(query: TreeQuery, signal: AbortSignal): Promise<TreeReport> {
    // What changes while the tree is read may or may not be in it.
    const { version } = this.#treeChanges;
    return { ...(await tree(query, this.#deps, signal)), version };
  }

  treeChanged(query: TreeChangeQuery, signal: AbortSignal): Promise<boolean> {
    return this.#treeChanges.changed(query, signal);
  }

  history(query: HistoryQuery, signal: AbortSignal): Promise<HistoryPage> {
    return history(query, { ...this.#deps, history: this.#history }, signal);
  }

  pendingDeletions(signal: AbortSignal): Promise<PendingReport> {
    return pendingDeletions(this.#confirming(), signal);
  }

  confirmDeletions(confirmation: Confirmation, signal: AbortSignal): Promise<ConfirmationReport> {
    return confirmDeletions(confirmation, this.#confirming(), signal);
  }

  verification(signal: AbortSignal): Promise<VerificationReport> {
    const { repo, settings, heads } = this.#deps;
    return verification({ repo, mode: settings.verifySignatures, heads }, signal);
  }

  why(query: WhyQuery, signal: AbortSignal): Promise<WhyReport> {
    return why(
      query,
      { ...this.#deps, outcome: this.#lastSync, suspensions: this.#suspensions.active },
      signal,
    );
  }

  status(query: StatusQuery, signal: AbortSignal): Promise<StatusReport> {
    const deps = {
      ...this.#deps,
      lastSync: this.#lastSync.report(),
      suspensions: this.#suspensions.active,
      conditions: [...this.#signatureCheckups(), ...this.#deps.conditions],
    };
    return status(query, deps, signal);
  }

  suspensions(): Promise<readonly Suspension[]> {
    return Promise.resolve(this.#suspensions.active);
  }

  async suspend(request: SuspendRequest, signal: AbortSignal): Promise<SuspensionReport> {
    const change = await this.#suspensions.suspend(request, signal);
    return { ...change, stillSyncing: request.what.includes("sync") && !(await this.#syncEnds(signal)) };
  }

  async resume(request: ResumeRequest, signal: AbortSignal): Promise<SuspensionReport> {
    return { ...(await this.#suspensions.resume(request, signal)), stillSyncing: false };
  }

  check(signal: AbortSignal): Promise<readonly Finding[]> {
    const { repo, settings, cluster, syncState, checkups, conditions, clock } = this.#deps;
    const { branch } = settings;
    const paths = settings.manifestGeneration ? [] : settings.paths;
    const publicKey = async (each: AbortSignal): Promise<string> =>
      (await cluster.publicSshKey(false, each)).key;
    const own = [
      gitCheckup({ repo, branch, publicKey }),
      syncCheckup({ repo, branch, paths, syncState, outcome: this.#lastSync }),
      suspensionCheckup(() => this.#suspensions.active),
    ];
    const all = [...own, ...this.#signatureCheckups(), ...checkups, ...conditions];
    return runCheckups(all, { clock, timeoutMs: checkTimeout }, signal);
  }

  #signatureCheckups(): readonly Checkup[] {
    const { repo, settings, heads } = this.#deps;
    const report = (each: AbortSignal): Promise<VerificationReport> => this.verification(each);
    return heads === undefined ? [] : [signatureCheckup({ repo, branch: settings.branch, report })];
  }

  lastSync(): Promise<LastSyncReport> {
    return Promise.resolve(this.#lastSync.report());
  }

  imageScans({ images }: ImageScansQuery, signal: AbortSignal): Promise<readonly ImageScan[]> {
    return imageScans(images, this.#deps.images, signal);
  }

  exportEverything(signal: AbortSignal): Promise<string> {
    return this.#deps.cluster.exportEverything(signal);
  }

  /** Whoever asks for a sync after a failed one wants it repeated, also where git is the same. */
  async #fetchHead(signal: AbortSignal): Promise<JobResult> {
    const result = await fetchHead(this.#deps, signal);
    if (this.#lastSync.failures.length > 0) {
      this.#loop.askForSync();
    }
    return result;
  }

  /** False if the running sync doesn't end soon. Rejects if the signal is aborted. */
  async #syncEnds(signal: AbortSignal): Promise<boolean> {
    using limit = new Deadline(this.#deps.clock, stopTimeout, signal);
    try {
      await orAborted(this.#syncing, limit.signal);
      return true;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  /** A caller waits until the head is applied, so that must be possible. */
  async #askForHead(spec: UpdateSpec): Promise<string> {
    const suspension = this.#suspensions.find("sync");
    if (suspension !== undefined) {
      throw syncSuspendedError(suspension);
    }
    return this.#enqueue(spec, (_id, each) => this.#fetchHead(each));
  }

  #confirming(): ConfirmDependencies {
    return { ...this.#deps, askForSync: () => this.#loop.askForSync() };
  }

  /** A dry run starts immediately, and the caller waits for it. Rejects with a FluxError if too much is waiting already. */
  async undo(request: UndoRequest, signal: AbortSignal): Promise<UndoAnswer> {
    const spec: UpdateSpec = { type: "policy", cause: request.cause, spec: null };
    let plan: UndoPlan | undefined;
    const tell = (told: UndoPlan): void => {
      plan = told;
    };
    const work: JobWork = (id, each) => undoCommit(id, request, { ...this.#deps, tell }, each);
    const weight = this.#admit(spec, encodeUndoRequest(request));
    const job = request.dryRun
      ? await this.#queue.beside(weight, () => this.#jobs.runNow(work, signal))
      : this.#jobs.enqueue(this.#committing(spec, work), weight);
    return { job: request.dryRun ? "" : job, plan };
  }

  /** A dry run starts immediately, and the caller waits for it. */
  #release(spec: ReleaseSpec, signal: AbortSignal): Promise<string> {
    const work: JobWork = (id, each) => updateImages(id, spec, this.#deps, each);
    return releaseKindOf(spec) === "plan"
      ? this.#runNow(spec, work, signal)
      : this.#enqueue(spec, this.#committing(spec, work));
  }

  /** Rejects with a FluxError if too much is waiting already. */
  async #enqueue(spec: UpdateSpec, work: JobWork): Promise<string> {
    return Promise.resolve(this.#jobs.enqueue(work, this.#admit(spec)));
  }

  /** Rejects in the same case, and if the work fails. */
  async #runNow(spec: UpdateSpec, work: JobWork, signal: AbortSignal): Promise<string> {
    return this.#queue.beside(this.#admit(spec), () => this.#jobs.runNow(work, signal));
  }

  /** The weight of a request if there's room for it; the daemon's own requests always have room. */
  #admit(spec: UpdateSpec, request: JsonValue = encodeUpdateSpec(spec)): number {
    const weight = weightOfJson(request);
    if (spec.type !== "auto" && !this.#queue.hasRoomFor(weight)) {
      throw busyError("too many jobs are waiting");
    }
    return weight;
  }

  /** Rejects with SuspendedError if syncing is suspended before the sync has ended. */
  async #sync(revision: string, limits: SyncLimits): Promise<WaitingSync | undefined> {
    const suspended = this.#suspensions.syncing;
    using stop = new AnyAbort(limits.stop, suspended);
    const sync = this.#syncUntil(revision, { ...limits, stop: stop.signal }, suspended);
    this.#syncing = sync.catch(() => undefined);
    return await sync;
  }

  /** Records failures with the events, and until the next sync. */
  async #syncUntil(
    revision: string,
    limits: SyncLimits,
    suspended: AbortSignal,
  ): Promise<WaitingSync | undefined> {
    const publish = (event: FluxEvent, each: AbortSignal): Promise<void> => this.#publish(event, each);
    const waiting = this.#waitingSync?.revision === revision ? this.#waitingSync : undefined;
    this.#waitingSync = undefined;
    const sync = this.#lastSync.record(revision, (noted) => {
      const noteErrors = (errors: readonly ResourceError[]): void => {
        noted(errors);
        this.#events.addFailure(syncErrorText(errors));
      };
      const notePutBack = (ids: readonly ResourceId[]): void => this.#tellPutBack(ids);
      const record = (done: DoneSync): void => this.#history.record(done);
      const deps = { ...this.#deps, ratchet: this.#ratchet, publish, noteErrors, notePutBack, record };
      return syncTo({ revision, waiting }, deps, limits).catch((error: unknown) => {
        throw limits.stop.aborted && limits.stop.reason === suspended.reason ? abortReason(suspended) : error;
      });
    });
    try {
      this.#waitingSync = await this.#noting("sync", sync);
    } finally {
      this.#treeChanges.note();
    }
    return this.#waitingSync;
  }

  /** Without what the sync before couldn't apply: it's late, but nobody else has changed it. */
  #tellPutBack(ids: readonly ResourceId[]): void {
    const late = new Set(this.#lastSync.errors.map(({ id }) => id));
    const putBack = ids.filter((id) => !late.has(id));
    if (putBack.length > 0) {
      this.#deps.logger.log({ info: "put back as in git", resources: putBack.toSorted().join(",") });
      this.#events.addPutBack(putBack);
    }
  }

  async #automate(signal: AbortSignal): Promise<void> {
    const changes = await pollImages(this.#listed, signal);
    if (changes.length > 0) {
      const spec = { type: "auto", cause: { message: "", user: "" }, spec: changes } as const;
      await this.#enqueue(spec, this.#committing(spec, this.#automatedRelease(spec)));
    }
  }

  /** Does nothing if automation was suspended while the job was waiting. */
  #automatedRelease(spec: Extract<ReleaseSpec, { type: "auto" }>): JobWork {
    return (id, signal) => {
      const isSuspended = this.#suspensions.find("automation") !== undefined;
      return isSuspended ? Promise.resolve({}) : updateImages(id, spec, this.#deps, signal);
    };
  }

  #changePolicies(spec: Extract<UpdateSpec, { type: "policy" }>): JobWork {
    const askForSync = (): void => this.#loop.askForSync();
    return async (id, signal) => {
      const result = await changePolicies(id, spec, { ...this.#deps, askForSync }, signal);
      const updates = [...(spec.spec?.values() ?? [])];
      if (result.revision !== undefined && updates.some(({ add }) => hasPolicy(add ?? {}, "automated"))) {
        this.#loop.askForImages();
      }
      return result;
    };
  }

  /**
   * Wraps work that may end with a commit: publishes its event, and updates the mirror before the job counts as done.
   */
  #committing(spec: UpdateSpec, work: JobWork): JobWork {
    return async (id, signal) => {
      const startedAt = new Date(this.#deps.clock.now());
      const result = await this.#noting(`job ${id}`, work(id, signal));
      const { revision = "", pushRetries } = result;
      this.#deps.logger.log({ jobID: id, revision, ...(pushRetries === undefined ? {} : { pushRetries }) });
      if (revision !== "") {
        await this.#refresh(signal);
        await this.#publishCommit(revision, result.spec ?? spec, result, startedAt, signal).catch(
          (error: unknown) => {
            throw new JobError(result, toError(error));
          },
        );
      }
      return result;
    };
  }

  /** Records failures with the events. */
  async #noting<T>(what: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof SuspendedError) {
        throw error;
      }
      this.#events.addFailure(`${what} failed: ${messageOf(error)}`);
      throw error;
    }
  }

  /**
   * The commit has been pushed, so if the mirror can't be updated now, that's only logged; its next refresh catches up.
   */
  async #refresh(signal: AbortSignal): Promise<void> {
    try {
      await this.#deps.repo.refresh(signal);
    } catch (error) {
      this.#deps.logger.log({ err: messageOf(error) });
    }
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

  /** Publishes an event: always as one line in the log, and to the upstream if there is one. */
  async #publish(event: FluxEvent, signal: AbortSignal): Promise<void> {
    const { eventSink, logger } = this.#deps;
    this.#events.add(event);
    logger.log({ event: printEvent(event), logupstream: eventSink ? "true" : "false" });
    await eventSink?.(event, signal);
  }
}
