/**
 * One sync cycle. Takes the revision to sync to, applies it to the cluster, publishes events, and moves the sync
 * marker. Like Flux v1's pkg/daemon/sync.go.
 */

import { type Clock, type Logger, messageOf } from "@weir/base";
import type { Cluster } from "../../cluster/cluster.ts";
import type { ResourceError } from "../../cluster/sync-set.ts";
import type { FluxEvent } from "../../event/event.ts";
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
import { changedResources } from "./changes.ts";
import { type NotedCommit, reportNotes, syncEvent } from "./events.ts";
import type { Ratchet } from "./ratchet.ts";
import { syncErrorText } from "./sync-error.ts";

/** What a sync needs. */
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
  /** Receives failures that don't end the sync, to show to people. */
  readonly noteFailure: (message: string) => void;
}

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
 * Syncs the cluster to `revision`. Rejects if nothing was applied (a file can't be loaded, or the cluster doesn't
 * respond) or if an event couldn't be delivered. Errors of single resources are reported without stopping the others.
 * The marker moves last, so that an interrupted sync is repeated; as in Flux v1, so is one that finished after the
 * deadline.
 */
export async function syncTo(revision: string, deps: SyncDependencies, limits: SyncLimits): Promise<void> {
  const signal = AbortSignal.any([limits.stop, limits.deadline]);
  const startedAt = new Date(deps.clock.now());
  const changes = await changeSet(revision, deps, signal);
  deps.logger.log({
    info: "trying to sync git changes to the cluster",
    old: changes.before,
    new: changes.after,
  });
  const loaded = await loadNew(revision, deps, signal);
  const { resources } = loaded;
  const errors = await applyAll(revision, loaded, deps, limits);
  if (limits.deadline.aborted) {
    throw new Error(applyingTookTooLong, { cause: limits.deadline.reason });
  }
  const last = await lastResources(changes.before, deps, signal);
  await publishEvents({ changes, last, resources, errors, startedAt }, deps, signal);
  await deps.ratchet.advance(changes.before, changes.after, resources, signal);
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
  deps: SyncDependencies,
  signal: AbortSignal,
): Promise<RevisionResources> {
  try {
    return await deps.manifests.at(revision, signal, { fresh: true });
  } catch (error) {
    throw new Error(`loading resources from repo: ${messageOf(error)}`, { cause: error });
  }
}

async function applyAll(
  revision: string,
  loaded: RevisionResources,
  { cluster, settings, metrics, logger, noteFailure }: SyncDependencies,
  { stop, deadline }: SyncLimits,
): Promise<readonly ResourceError[]> {
  const set = { name: settings.syncSetName, revision, ...loaded };
  const errors = await cluster.sync(set, stop, deadline);
  if (errors.length > 0) {
    const text = syncErrorText(errors);
    logger.log({ err: text });
    noteFailure(text);
  }
  metrics.setSyncManifests(loaded.resources.size - errors.length, errors.length);
  return errors;
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
