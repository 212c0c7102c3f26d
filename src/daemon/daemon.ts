/**
 * The daemon: serves the requests of the API, and runs the loop that does the work. It uses git, manifests, and the
 * cluster through ports, which cmd/fluxd connects. Based on Flux v1's pkg/daemon.
 */

import { apiLimits, type Finding, runCheckups, Wake } from "@weir/base";
import type {
  ApiServer,
  Change,
  GitConfigReport,
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
import type { JobRequest } from "../api/types/job-request.ts";
import type { ResumeRequest, SuspendRequest, Suspension, SuspensionReport } from "../api/types/suspension.ts";
import type { UndoAnswer, UndoRequest } from "../api/types/undo.ts";
import type { WhyQuery, WhyReport } from "../api/types/why.ts";
import { type UpdateSpec } from "../update/spec.ts";
import { pollImages } from "./automation.ts";
import { daemonCheckups, signatureCheckups } from "./checks/checkups.ts";
import { type ConfirmDependencies, confirmDeletions, pendingDeletions } from "./confirm-deletions.ts";
import type { DaemonDependencies } from "./dependencies.ts";
import { EventReporter } from "./event-reporter.ts";
import { createMemoryHistoryStore, SyncHistory } from "./history/sync-history.ts";
import { ChangeRequests } from "./jobs/change-requests.ts";
import { JobQueue } from "./jobs/queue.ts";
import { Loop } from "./loop.ts";
import { notifyChange } from "./notify-change.ts";
import { diff } from "./queries/diff.ts";
import { gitRepoConfig } from "./queries/git-config.ts";
import { history } from "./queries/history.ts";
import { imageScans } from "./queries/image-scans.ts";
import { jobStatus } from "./queries/job-status.ts";
import { listImages } from "./queries/list-images.ts";
import { listWorkloads } from "./queries/list-workloads.ts";
import { status } from "./queries/status.ts";
import { syncStatus } from "./queries/sync-status.ts";
import { tree } from "./queries/tree.ts";
import { verification } from "./queries/verification.ts";
import { why } from "./queries/why/why.ts";
import { Suspensions } from "./suspension/suspensions.ts";
import { HeadVerifier } from "./sync/head-verifier.ts";
import { Ratchet } from "./sync/ratchet.ts";
import { SyncRunner } from "./sync/sync-runner.ts";
import { TreeChanges } from "./tree-changes.ts";

const waitingJobs = { jobs: apiLimits.waitingJobs, weight: apiLimits.waitingJobsWeight };

/** The time limit for all checks together, in milliseconds; shorter than fluxctl's own. */
const checkTimeout = 45_000;

/** Verifies the branch; undefined if commits needn't be signed. */
interface Verifying {
  readonly heads: HeadVerifier | undefined;
}

/** Serves the API and keeps the cluster in sync with git; `run` does the work. */
export class Daemon implements ApiServer, Inspection {
  readonly #deps: DaemonDependencies & Verifying;
  /** The dependencies of Flux v1's queries, which show the head of the branch even if it isn't verified. */
  readonly #listed: DaemonDependencies & Verifying;
  readonly #reporter: EventReporter;
  readonly #suspensions: Suspensions;
  readonly #treeChanges: TreeChanges;
  readonly #history: SyncHistory;
  readonly #syncs: SyncRunner;
  readonly #requests: ChangeRequests;
  readonly #loop: Loop;

  constructor(given: DaemonDependencies) {
    const { repo, syncState, settings, clock, metrics } = given;
    const mode = settings.verifySignatures;
    const heads = mode === "none" ? undefined : new HeadVerifier({ repo, syncState, mode });
    const deps = { ...given, heads, logger: given.logger.with({ component: "daemon" }) };
    this.#deps = deps;
    // Generators run commands, and those of a commit that isn't verified may be anybody's.
    this.#listed = settings.manifestGeneration ? deps : { ...deps, heads: undefined };
    const reporter = new EventReporter(deps);
    this.#reporter = reporter;
    this.#treeChanges = new TreeChanges(clock);
    const { historyStore: store = createMemoryHistoryStore() } = deps;
    this.#history = new SyncHistory({ store, clock, logger: deps.logger });
    this.#suspensions = new Suspensions({
      store: deps.suspensions,
      clock,
      logger: deps.logger,
      setSuspended: (what, isSuspended) => metrics.setSuspended(what, isSuspended),
      note: (type, message) => reporter.noteSuspension(type, message),
      onResumed: () => {
        this.#loop.askForSync();
        this.#loop.askForImages();
      },
    });
    const loopLogger = given.logger.with({ component: "sync-loop" });
    this.#syncs = new SyncRunner({
      ...deps,
      reporter,
      ratchet: new Ratchet(syncState, loopLogger),
      record: (done) => {
        metrics.countChanges(done);
        this.#history.record(done);
      },
      suspended: () => this.#suspensions.syncing,
      onChange: () => {
        metrics.setLastSync(this.#syncs.outcome.report());
        this.#treeChanges.note();
      },
    });
    const queue = new JobQueue(waitingJobs, (length) => metrics.setQueueLength(length));
    const wake = new Wake();
    this.#requests = new ChangeRequests({
      ...deps,
      reporter,
      queue,
      findSuspension: (what) => this.#suspensions.find(what),
      hasFailedSync: () => this.#syncs.outcome.failures.length > 0,
      askForSync: () => this.#loop.askForSync(),
      askForSyncToHead: () => this.#loop.askForSyncToHead(),
      askForImages: () => this.#loop.askForImages(),
      onQueued: () => wake.wake(),
    });
    this.#loop = new Loop({
      ...deps,
      jobs: queue,
      wake,
      logger: loopLogger,
      sync: (revision, limits) => this.#syncs.sync(revision, limits),
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
      await this.#history.flush();
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

  notifyChange(change: Change): Promise<void> {
    notifyChange(change, this.#deps);
    return Promise.resolve();
  }

  updateManifests(spec: UpdateSpec, signal: AbortSignal): Promise<string> {
    return this.#requests.request(spec, signal);
  }

  requestJob(request: JobRequest, signal: AbortSignal): Promise<string> {
    return this.#requests.requestAs(request, signal);
  }

  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoAnswer> {
    return this.#requests.undo(request, signal);
  }

  jobStatus(id: string, signal: AbortSignal): Promise<JobStatusReport> {
    const { repo, settings } = this.#deps;
    return jobStatus(id, { jobs: this.#requests, repo, paths: settings.paths }, signal);
  }

  syncStatus(ref: string, signal: AbortSignal): Promise<readonly string[]> {
    return syncStatus(ref, this.#deps, signal);
  }

  gitRepoConfig(regenerate: boolean, signal: AbortSignal): Promise<GitConfigReport> {
    return gitRepoConfig(regenerate, this.#deps, signal);
  }

  events(query: EventsQuery, signal: AbortSignal): Promise<readonly LoggedEvent[]> {
    return this.#reporter.events(query, signal);
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
    const { outcome } = this.#syncs;
    return why(query, { ...this.#deps, outcome, suspensions: this.#suspensions.active }, signal);
  }

  status(query: StatusQuery, signal: AbortSignal): Promise<StatusReport> {
    const deps = {
      ...this.#deps,
      lastSync: this.#syncs.outcome.report(),
      suspensions: this.#suspensions.active,
      conditions: [...signatureCheckups(this.#deps), ...this.#deps.conditions],
    };
    return status(query, deps, signal);
  }

  suspensions(): Promise<readonly Suspension[]> {
    return Promise.resolve(this.#suspensions.active);
  }

  async suspend(request: SuspendRequest, signal: AbortSignal): Promise<SuspensionReport> {
    const change = await this.#suspensions.suspend(request, signal);
    return { ...change, stillSyncing: request.what.includes("sync") && !(await this.#syncs.ends(signal)) };
  }

  async resume(request: ResumeRequest, signal: AbortSignal): Promise<SuspensionReport> {
    return { ...(await this.#suspensions.resume(request, signal)), stillSyncing: false };
  }

  check(signal: AbortSignal): Promise<readonly Finding[]> {
    const { checkups, conditions, clock } = this.#deps;
    const { outcome } = this.#syncs;
    const own = daemonCheckups({ ...this.#deps, outcome, suspensions: () => this.#suspensions.active });
    return runCheckups([...own, ...checkups, ...conditions], { clock, timeoutMs: checkTimeout }, signal);
  }

  lastSync(): Promise<LastSyncReport> {
    return Promise.resolve(this.#syncs.outcome.report());
  }

  imageScans({ images }: ImageScansQuery, signal: AbortSignal): Promise<readonly ImageScan[]> {
    return imageScans(images, this.#deps.images, signal);
  }

  exportEverything(signal: AbortSignal): Promise<string> {
    return this.#deps.cluster.exportEverything(signal);
  }

  #confirming(): ConfirmDependencies {
    return { ...this.#deps, askForSync: () => this.#loop.askForSync() };
  }

  async #automate(signal: AbortSignal): Promise<void> {
    const changes = await pollImages(this.#listed, signal);
    if (changes.length > 0) {
      this.#requests.releaseAutomatically(changes);
    }
  }
}
