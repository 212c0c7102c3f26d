/**
 * One sync cycle. Takes the revision to sync to, applies it to the cluster, publishes events, and moves the sync
 * marker. Like Flux v1's pkg/daemon/sync.go.
 */

import { type Clock, type Logger, messageOf } from "@weir/base";
import type { Cluster, ExpectedResources, FluxEvent, ResourceError, ResourceId } from "@weir/flux";
import type { DoneSync } from "../history/ring.ts";
import type { DaemonMetrics } from "../metrics.ts";
import { parseNote } from "../note.ts";
import type {
  DaemonSettings,
  ManifestSource,
  Repo,
  RepoCommit,
  ResourceSet,
  RevisionResources,
} from "../ports.ts";
import { type NotedCommit, reportNotes, syncEvent } from "./events.ts";
import type { Ratchet } from "./ratchet.ts";
import { syncErrorText } from "./sync-error.ts";

/** The signals that end a sync. */
export interface SyncLimits {
  /** Ends everything. */
  readonly stop: AbortSignal;
  /** --sync-timeout has passed. As in Flux v1, this ends everything except the applying of resources. */
  readonly deadline: AbortSignal;
}

interface ChangeSet {
  readonly before: string;
  readonly after: string;
  readonly commits: readonly RepoCommit[];
  readonly initialSync: boolean;
}

/** A sync that has begun. */
interface BegunSync {
  readonly changes: ChangeSet;
  readonly loaded: RevisionResources;
  readonly startedAt: Date;
}

/** A sync that can't do anything until hooks, or the resources of a wave, are ready. */
export interface WaitingSync {
  readonly revision: string;
  readonly waitingFor: readonly ResourceId[];
  /** Resolves when it makes sense to continue; rejects if the signal is aborted. */
  changed(signal: AbortSignal): Promise<void>;
  /** For the call that continues. */
  readonly begun: BegunSync;
}

/** A sync that has applied what it could, with the data for its events. */
interface AppliedSync {
  readonly changes: ChangeSet;
  /** The resources that were synced before. */
  readonly last: ResourceSet;
  readonly resources: ResourceSet;
  readonly errors: readonly ResourceError[];
  readonly startedAt: Date;
}

const applyingTookTooLong =
  "context deadline exceeded: all resources were applied, but only after --sync-timeout had passed, so the revision doesn't count as synced";

/**
 * Syncs the cluster to `revision`, or continues the sync that waits for it. Resolves to a sync that has to wait, or to
 * undefined when it's finished. Rejects if nothing was applied (a file can't be loaded, or the cluster doesn't respond)
 * or if an event couldn't be delivered. Errors of single resources are reported without stopping the others. The marker
 * moves last, so that an interrupted sync is repeated; as in Flux v1, so is one that finished after the deadline. The
 * deadline doesn't limit the waiting.
 */
export async function syncTo(
  { revision, waiting }: { readonly revision: string; readonly waiting?: WaitingSync | undefined },
  deps: SyncDependencies,
  limits: SyncLimits,
): Promise<WaitingSync | undefined> {
  const signal = AbortSignal.any([limits.stop, limits.deadline]);
  using expected = deps.cluster.expect(deps.settings.syncSetName);
  const begun =
    waiting?.revision === revision ? waiting.begun : await begin(revision, { ...deps, expected }, signal);
  const { changes, loaded, startedAt } = begun;
  const { resources } = loaded;
  const progress = await deps.cluster.sync(
    { name: deps.settings.syncSetName, revision, ...loaded },
    limits.stop,
    limits.deadline,
  );
  limits.stop.throwIfAborted();
  if (progress.kind === "waiting") {
    const { waitingFor } = progress;
    tellWaiting(revision, { before: waiting?.waitingFor, waitingFor }, deps.logger);
    return { revision, waitingFor, changed: (each) => progress.changed(each), begun };
  }
  if (waiting !== undefined) {
    deps.logger.log({ info: "going on with the sync that was waiting", revision });
  }
  const { errors, changes: done } = progress;
  const isDrift = changes.commits.length === 0;
  const at = new Date(deps.clock.now());
  const kind = isDrift ? "drift" : "sync";
  deps.record({ kind, at, revision, changes: done, failed: errors.length });
  report(loaded, errors, deps);
  if (isDrift && done.length > 0) {
    deps.notePutBack(done.map(({ id }) => id));
  }
  if (limits.deadline.aborted) {
    throw new Error(applyingTookTooLong, { cause: limits.deadline.reason });
  }
  const last = await lastResources(changes.before, deps, signal);
  await publishEvents({ changes, last, resources, errors, startedAt }, deps, signal);
  await deps.ratchet.advance(changes.before, changes.after, resources, signal);
  return undefined;
}

export interface SyncDependencies {
  readonly settings: DaemonSettings;
  readonly ratchet: Ratchet;
  readonly repo: Repo;
  readonly manifests: ManifestSource;
  readonly cluster: Cluster;
  readonly metrics: DaemonMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
  publish(event: FluxEvent, signal: AbortSignal): Promise<void>;
  /** Receives errors of resources, which don't end the sync, to show to people. */
  readonly noteErrors: (errors: readonly ResourceError[]) => void;
  /** Receives what was changed although there were no new commits. */
  readonly notePutBack: (ids: readonly ResourceId[]) => void;
  /** Receives what each sync did to the cluster, even if it doesn't count as synced afterwards. */
  readonly record: (done: DoneSync) => void;
}

interface ReadingDependencies extends SyncDependencies {
  /** Receives them while they're being read. */
  readonly expected: ExpectedResources;
}

async function begin(revision: string, deps: ReadingDependencies, signal: AbortSignal): Promise<BegunSync> {
  const startedAt = new Date(deps.clock.now());
  const changes = await changeSet(revision, deps, signal);
  deps.logger.log({
    info: "trying to sync git changes to the cluster",
    old: changes.before,
    new: changes.after,
  });
  return { changes, loaded: await loadNew(revision, deps, signal), startedAt };
}

/** Logs what a sync waits for, once. */
function tellWaiting(
  revision: string,
  {
    before,
    waitingFor,
  }: { readonly before: readonly ResourceId[] | undefined; readonly waitingFor: readonly ResourceId[] },
  logger: Logger,
): void {
  const resources = waitingFor.join(",");
  if (before?.join(",") !== resources) {
    const info =
      before === undefined
        ? "waiting until resources are ready"
        : "going on, and waiting for other resources";
    logger.log({ info, revision, resources });
  }
}

async function changeSet(
  revision: string,
  { ratchet, repo, settings }: SyncDependencies,
  signal: AbortSignal,
): Promise<ChangeSet> {
  const before = await ratchet.revision(signal);
  const paths = settings.manifestGeneration ? [] : settings.paths;
  const commits =
    before === revision
      ? []
      : before === ""
        ? await repo.commitsBefore(revision, paths, signal)
        : await repo.commitsBetween(before, revision, paths, signal);
  return { before, after: revision, commits, initialSync: before === "" };
}

async function loadNew(
  revision: string,
  { manifests, expected }: ReadingDependencies,
  signal: AbortSignal,
): Promise<RevisionResources> {
  try {
    const onRead = expected.add.bind(expected);
    return await manifests.at(revision, signal, { fresh: true, onRead });
  } catch (error) {
    throw new Error(`loading resources from repo: ${messageOf(error)}`, { cause: error });
  }
}

function report(
  { resources }: RevisionResources,
  errors: readonly ResourceError[],
  { metrics, logger, noteErrors }: SyncDependencies,
): void {
  if (errors.length > 0) {
    logger.log({ err: syncErrorText(errors) });
    noteErrors(errors);
  }
  metrics.setSyncManifests(resources.size - errors.length, errors.length);
}

/**
 * The resources that were synced before: as this process remembers them, or else those of the marker's revision. A
 * failure only makes the event less accurate.
 */
async function lastResources(
  before: string,
  { ratchet, manifests, logger }: SyncDependencies,
  signal: AbortSignal,
): Promise<ResourceSet> {
  if (ratchet.resources) {
    return ratchet.resources;
  }
  if (before === "") {
    return new Map();
  }
  try {
    return (await manifests.at(before, signal)).resources;
  } catch (error) {
    logger.log({
      warning: "failed to load last-synced resources. sync event may be inaccurate",
      err: messageOf(error),
    });
    return new Map();
  }
}

async function publishEvents(
  { changes, last, resources, errors, startedAt }: AppliedSync,
  deps: SyncDependencies,
  signal: AbortSignal,
): Promise<void> {
  if (changes.commits.length === 0) {
    return;
  }
  const noted = await withNotes(changes.commits, deps.repo, signal);
  const now = new Date(deps.clock.now());
  const notes = reportNotes(noted, { initialSync: changes.initialSync, startedAt, now });
  if (notes.unexpected) {
    deps.logger.log({
      warning: "no notes expected on initial sync; this repo may be in use by another fluxd",
    });
  }
  const event = syncEvent({
    commits: changes.commits,
    workloads: changedResources(last, resources),
    includes: notes.includes,
    errors,
    initialSync: changes.initialSync,
    startedAt,
  });
  for (const each of event ? [event, ...notes.events] : notes.events) {
    await deps.publish(each, signal);
  }
}

async function withNotes(
  commits: readonly RepoCommit[],
  repo: Repo,
  signal: AbortSignal,
): Promise<readonly NotedCommit[]> {
  const noted = await repo.notedRevisions(signal);
  const found: NotedCommit[] = [];
  for (const commit of commits) {
    const text = noted.has(commit.revision) ? await repo.note(commit.revision, signal) : undefined;
    found.push({ ...commit, note: text === undefined ? undefined : parseNote(text) });
  }
  return found;
}

/** The resources in `after` that are new or whose bytes changed, in the order of `after`. */
function changedResources(before: ResourceSet, after: ResourceSet): readonly ResourceId[] {
  return [...after.values()]
    .filter((resource) => before.get(resource.id)?.bytes !== resource.bytes)
    .map((resource) => resource.id);
}
