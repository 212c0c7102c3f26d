import { type Finding, runCheckups } from "@weir/base";
import type { UpdateSpec } from "@weir/flux";
import type {
  ApiServer,
  Change,
  Confirmation,
  ConfirmationReport,
  DiffQuery,
  DiffReport,
  EventsQuery,
  GitConfigReport,
  HistoryPage,
  HistoryQuery,
  ImageScan,
  ImageScansQuery,
  Inspection,
  JobRequest,
  JobStatusReport,
  LastSyncReport,
  ListImagesOptions,
  ListWorkloadsOptions,
  LoggedEvent,
  PendingReport,
  ResumeRequest,
  StatusQuery,
  StatusReport,
  SuspendRequest,
  Suspension,
  SuspensionReport,
  SyncSettings,
  TreeChangeQuery,
  TreeQuery,
  TreeReport,
  UndoAnswer,
  UndoRequest,
  VerificationReport,
  WhyQuery,
  WhyReport,
  WorkloadImagesReport,
  WorkloadStatusReport,
} from "@weir/flux/api";
import type { Agenda } from "./agenda.ts";
import { daemonCheckups, signatureCheckups } from "./checks/checkups.ts";
import { confirmDeletions, pendingDeletions } from "./confirm-deletions.ts";
import type { DaemonDependencies } from "./dependencies.ts";
import type { EventReporter } from "./event-reporter.ts";
import type { SyncHistory } from "./history/sync-history.ts";
import type { ChangeRequests } from "./jobs/change-requests.ts";
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
import type { Suspensions } from "./suspension/suspensions.ts";
import type { HeadVerifier } from "./sync/head-verifier.ts";
import type { SyncRunner } from "./sync/sync-runner.ts";
import type { TreeChanges } from "./tree-changes.ts";

/** The time limit for all checks together, in milliseconds; shorter than fluxctl's own. */
const checkTimeout = 45_000;

/** Answers the API: passes each request on to the part of the daemon that knows. */
export class DaemonApi implements ApiServer, Inspection {
  readonly #parts: DaemonParts;

  constructor(parts: DaemonParts) {
    this.#parts = parts;
  }

  version(): string {
    return this.#parts.deps.version;
  }

  ping(signal: AbortSignal): Promise<void> {
    return this.#parts.deps.cluster.ping(signal);
  }

  exportAll(signal: AbortSignal): Promise<string> {
    return this.#parts.deps.cluster.exportAll(signal);
  }

  listWorkloads(
    options: ListWorkloadsOptions,
    signal: AbortSignal,
  ): Promise<readonly WorkloadStatusReport[]> {
    return listWorkloads(options, this.#parts.listed, signal);
  }

  listImages(options: ListImagesOptions, signal: AbortSignal): Promise<readonly WorkloadImagesReport[]> {
    return listImages(options, this.#parts.listed, signal);
  }

  /** As in Flux v1, only a change to another branch of our own repository is ignored. */
  notifyChange(change: Change): Promise<void> {
    const { repo, settings, logger, onImageNotice } = this.#parts.deps;
    if (change.kind === "image") {
      onImageNotice?.(change.name, change.tags ?? []);
    } else if (repo.isEquivalent(change.url) && change.branch !== settings.branch) {
      logger.log({ msg: "notified about unrelated change", url: change.url, branch: change.branch });
    } else {
      repo.notify();
    }
    return Promise.resolve();
  }

  updateManifests(spec: UpdateSpec, signal: AbortSignal): Promise<string> {
    return this.#parts.requests.request(spec, signal);
  }

  requestJob(request: JobRequest, signal: AbortSignal): Promise<string> {
    return this.#parts.requests.requestAs(request, signal);
  }

  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoAnswer> {
    return this.#parts.requests.undo(request, signal);
  }

  jobStatus(id: string, signal: AbortSignal): Promise<JobStatusReport> {
    const { repo, settings } = this.#parts.deps;
    return jobStatus(id, { jobs: this.#parts.requests, repo, paths: settings.paths }, signal);
  }

  syncStatus(ref: string, signal: AbortSignal): Promise<readonly string[]> {
    return syncStatus(ref, this.#parts.deps, signal);
  }

  gitRepoConfig(regenerate: boolean, signal: AbortSignal): Promise<GitConfigReport> {
    return gitRepoConfig(regenerate, this.#parts.deps, signal);
  }

  events(query: EventsQuery, signal: AbortSignal): Promise<readonly LoggedEvent[]> {
    return this.#parts.reporter.events(query, signal);
  }

  diff(query: DiffQuery, signal: AbortSignal): Promise<DiffReport> {
    return diff(query, this.#parts.deps, signal);
  }

  syncSettings(): Promise<SyncSettings> {
    return Promise.resolve(this.#parts.deps.syncSettings);
  }

  async tree(query: TreeQuery, signal: AbortSignal): Promise<TreeReport> {
    // What changes while the tree is read may or may not be in it.
    const { version } = this.#parts.treeChanges;
    return { ...(await tree(query, this.#parts.deps, signal)), version };
  }

  treeChanged(query: TreeChangeQuery, signal: AbortSignal): Promise<boolean> {
    return this.#parts.treeChanges.changed(query, signal);
  }

  history(query: HistoryQuery, signal: AbortSignal): Promise<HistoryPage> {
    return history(query, { ...this.#parts.deps, history: this.#parts.history }, signal);
  }

  pendingDeletions(signal: AbortSignal): Promise<PendingReport> {
    return pendingDeletions(this.#parts.deps, signal);
  }

  confirmDeletions(confirmation: Confirmation, signal: AbortSignal): Promise<ConfirmationReport> {
    const { deps, agenda } = this.#parts;
    return confirmDeletions(confirmation, { ...deps, agenda }, signal);
  }

  verification(signal: AbortSignal): Promise<VerificationReport> {
    const { repo, settings, heads } = this.#parts.deps;
    return verification({ repo, mode: settings.verifySignatures, heads }, signal);
  }

  why(query: WhyQuery, signal: AbortSignal): Promise<WhyReport> {
    const { outcome } = this.#parts.syncs;
    return why(query, { ...this.#parts.deps, outcome, suspensions: this.#parts.suspensions.active }, signal);
  }

  status(query: StatusQuery, signal: AbortSignal): Promise<StatusReport> {
    const deps = {
      ...this.#parts.deps,
      lastSync: this.#parts.syncs.outcome.report(),
      suspensions: this.#parts.suspensions.active,
      conditions: [...signatureCheckups(this.#parts.deps), ...this.#parts.deps.conditions],
    };
    return status(query, deps, signal);
  }

  suspensions(): Promise<readonly Suspension[]> {
    return Promise.resolve(this.#parts.suspensions.active);
  }

  async suspend(request: SuspendRequest, signal: AbortSignal): Promise<SuspensionReport> {
    const change = await this.#parts.suspensions.suspend(request, signal);
    return {
      ...change,
      stillSyncing: request.what.includes("sync") && !(await this.#parts.syncs.ends(signal)),
    };
  }

  async resume(request: ResumeRequest, signal: AbortSignal): Promise<SuspensionReport> {
    return { ...(await this.#parts.suspensions.resume(request, signal)), stillSyncing: false };
  }

  check(signal: AbortSignal): Promise<readonly Finding[]> {
    const { checkups, conditions, clock } = this.#parts.deps;
    const { outcome } = this.#parts.syncs;
    const own = daemonCheckups({
      ...this.#parts.deps,
      outcome,
      suspensions: () => this.#parts.suspensions.active,
    });
    return runCheckups([...own, ...checkups, ...conditions], { clock, timeoutMs: checkTimeout }, signal);
  }

  lastSync(): Promise<LastSyncReport> {
    return Promise.resolve(this.#parts.syncs.outcome.report());
  }

  imageScans({ images }: ImageScansQuery, signal: AbortSignal): Promise<readonly ImageScan[]> {
    return imageScans(images, this.#parts.deps.images, signal);
  }

  exportEverything(signal: AbortSignal): Promise<string> {
    return this.#parts.deps.cluster.exportEverything(signal);
  }
}

/** The parts of the daemon that answer requests, or have them done. */
export interface DaemonParts {
  readonly deps: VerifyingDependencies;
  /** For Flux v1's queries, which show the head of the branch even if it isn't verified. */
  readonly listed: VerifyingDependencies;
  readonly agenda: Agenda;
  readonly reporter: EventReporter;
  readonly treeChanges: TreeChanges;
  readonly history: SyncHistory;
  readonly suspensions: Suspensions;
  readonly syncs: SyncRunner;
  readonly requests: ChangeRequests;
}

/** What the daemon is given, and what verifies its branch; undefined if commits needn't be signed. */
export interface VerifyingDependencies extends DaemonDependencies {
  readonly heads: HeadVerifier | undefined;
}
