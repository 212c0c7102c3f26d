/**
 * Connects Flux's cluster to the engine: turns sync sets into targets, and returns errors by resource and workloads.
 * The only class that uses the engine itself. Based on Flux v1's pkg/cluster/kubernetes.
 */
import { kubernetesLimits, type Logger, type Unsubscribe } from "@weir/base";
import type { ClusterCache, ClusterEngine, KeptObject, SyncPlan, SyncRequest } from "@weir/engine";
import {
  type ApprovedDeletions,
  type Cluster,
  type ExpectedResources,
  NothingToConfirmError,
  type ObjectReport,
  type PendingDeletions,
  type PublicSshKey,
  partsOfResourceId,
  RefusedSyncError,
  type ResourceId,
  type ResourcePreview,
  type ResourceStatus,
  type SyncProgress,
  type SyncSet,
  type Workload,
} from "@weir/flux";
import { type KubeObject, keyOf, printKey } from "@weir/kube";
import type { Discovery, RestClient } from "@weir/kube/rest";
import type { SshKeyring } from "../cluster-state/ssh-keyring.ts";
import { isAllowedResource, unboundIds } from "./allowed-namespaces.ts";
import { type ChangeAuthors, DriftedObjects, readAuthors } from "./drift-writers.ts";
import { expectedTarget } from "./expected-target.ts";
import { exportWorkloads, namesOfNamespaces } from "./export.ts";
import { rivalOwner } from "./foreign.ts";
import { outdatedIds } from "./garbage.ts";
import { KeptLog } from "./kept-log.ts";
import { kindsInUse } from "./kinds-in-use.ts";
import { NamespaceWatch } from "./namespace-watch.ts";
import { idOf } from "./object-id.ts";
import { excludedReport, reportObject } from "./object-report.ts";
import { prepareSync, type SyncSources, usualTargets } from "./prepare-sync.ts";
import type { PruneAllowance } from "./prune-allowance.ts";
import type { KindInUse } from "./rights.ts";
import { resourcePreviews } from "./sync-preview.ts";
import {
  ignoredInFile,
  logKept,
  logOutdated,
  logPruned,
  resourceErrors,
  syncedChanges,
} from "./sync-report.ts";
import { TargetMaker, type TargetSet } from "./target-set.ts";
import { readTree } from "./tree.ts";
import { UnavailableApis } from "./unavailable-apis.ts";
import { toWorkload, workloadGroupKinds, workloadKindOf } from "./workloads.ts";

/** The daemon's cluster, implemented with the engine. */
export class FluxCluster implements Cluster {
  readonly #options: FluxClusterOptions;
  readonly #targets: TargetMaker;
  readonly #namespaces: NamespaceWatch;
  readonly #syncLogger: Logger;
  readonly #keptLog: KeptLog;
  readonly #unavailable: UnavailableApis;
  #syncErrors: ReadonlyMap<ResourceId, string> = new Map();
  /** The revision that these errors belong to. */
  #syncedRevision = "";
  readonly #drifted = new DriftedObjects();
  #kindsInUse: readonly KindInUse[] = [];
  #clusterScopedTold = "";
  /** The revision whose sync waits. */
  #waitingRevision: string | undefined;

  constructor(options: FluxClusterOptions) {
    this.#options = options;
    this.#targets = new TargetMaker(options.allowedNamespaces);
    this.#namespaces = new NamespaceWatch(options.client, options.allowedNamespaces, options.logger);
    this.#syncLogger = options.logger.with({ method: "Sync" });
    this.#keptLog = new KeptLog(options.logger);
    this.#unavailable = new UnavailableApis(options.logger);
    options.engine.onDrift((drift) => this.#drifted.note(drift));
  }

  async allWorkloads(namespace: string, signal: AbortSignal): Promise<readonly Workload[]> {
    const { allowedNamespaces, cache } = this.#options;
    await cache.holdKinds(workloadGroupKinds, signal);
    const namespaces = namespacesToList(namespace, allowedNamespaces);
    return workloadGroupKinds
      .flatMap((kind) => namespaces.flatMap((each) => [...cache.list(kind, each)]))
      .flatMap((object) => this.#workload(object) ?? []);
  }

  async someWorkloads(ids: readonly ResourceId[], signal: AbortSignal): Promise<readonly Workload[]> {
    await this.#options.cache.holdKinds(workloadGroupKinds, signal);
    return ids.filter((id) => this.isAllowed(id)).flatMap((id) => this.#someWorkload(id) ?? []);
  }

  isAllowed(id: ResourceId): boolean {
    return isAllowedResource(id, this.#options.allowedNamespaces);
  }

  async ping(signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const question = {
      method: "GET",
      path: "/version",
      isProbe: true,
      mostBytes: kubernetesLimits.version,
    } as const;
    await client.json({ ...question, signal });
  }

  async exportAll(signal: AbortSignal): Promise<string> {
    const { cache } = this.#options;
    const namespaces = await this.#namespaces.reachable(signal);
    await cache.holdKinds(workloadGroupKinds, signal);
    return exportWorkloads(namespaces, this.#options, signal);
  }

  async exportEverything(signal: AbortSignal): Promise<string> {
    const { allowedNamespaces, cache, client } = this.#options;
    if (allowedNamespaces.size > 0) {
      return this.exportAll(signal);
    }
    await cache.holdKinds(workloadGroupKinds, signal);
    return exportWorkloads(await namesOfNamespaces(client, signal), this.#options, signal);
  }

  expect(name: string): ExpectedResources {
    const { allowedNamespaces, engine } = this.#options;
    const expected = engine.expectTargets({ ...usualTargets, unit: name });
    return {
      add: (resource) => {
        const target = expectedTarget(resource, allowedNamespaces);
        if (target !== undefined) {
          expected.add(target);
        }
      },
      [Symbol.dispose]: () => expected[Symbol.dispose](),
    };
  }

  async sync(set: SyncSet, signal: AbortSignal, beginBy: AbortSignal = signal): Promise<SyncProgress> {
    const made = this.#targets.make(set);
    const { broken, resourceOf } = made;
    this.#kindsInUse = kindsInUse(made);
    if (this.#waitingRevision !== set.revision) {
      this.#tellLeftOut(made);
    }
    const soon = AbortSignal.any([signal, beginBy]);
    await this.#namespaces.reachable(soon);
    const { cache, engine, logger } = this.#options;
    const { request, collection } = prepareSync(set, made, this.#options);
    const authors = await this.#authorsOfDrift(made, set.revision, soon);
    const approvedPrunes = await this.#allowed(request, soon);
    const progress = await engine.advance({ ...request, approvedPrunes, beginBy }, signal);
    if (progress.kind === "waiting") {
      this.#waitingRevision = set.revision;
      const waitingFor = progress.waitingFor.map(({ key }) => resourceOf(key)?.id ?? idOf(key));
      return { kind: "waiting", waitingFor, changed: (each) => progress.changed(each) };
    }
    this.#waitingRevision = undefined;
    const { result } = progress;
    logPruned(logger, result);
    logKept(logger, result);
    if (request.prune !== "off") {
      this.#unavailable.tell(cache.unavailable());
      logOutdated(logger, outdatedIds(cache.managed(), collection), request.prune === "dry-run");
    }
    this.#keptLog.tellPending(result);
    this.#keptLog.tellRivals(this.#rivals(made));
    const errors = [...broken, ...resourceErrors(result, resourceOf)];
    this.#syncErrors = new Map(errors.map(({ id, error }) => [id, error]));
    this.#syncedRevision = set.revision;
    if (result.isRefused === true) {
      throw new RefusedSyncError(errors);
    }
    const isHeldBack = result.resources.some(({ guard }) => guard === "prune-limit");
    if (approvedPrunes.length > 0 && errors.length === 0 && !isHeldBack) {
      await this.#options.allowance.usedAt(set.revision, signal);
    }
    return { kind: "finished", errors, changes: syncedChanges(result, resourceOf, authors) };
  }

  async preview(set: SyncSet, signal: AbortSignal): Promise<readonly ResourcePreview[]> {
    const made = this.#makeAside(set);
    const { request } = prepareSync(set, made, this.#options);
    const preview = await this.#options.engine.preview(await this.#allowing(request, signal), signal);
    return resourcePreviews(preview, made, set.revision);
  }

  async tree(set: SyncSet, namespace: string, signal: AbortSignal): Promise<readonly ResourceStatus[]> {
    const made = this.#makeAside(set);
    const { request } = prepareSync(set, made, this.#options);
    const plan = await this.#options.engine.plan(request, signal);
    const errors = this.#syncedRevision === set.revision ? this.#syncErrors : new Map<ResourceId, string>();
    return readTree({ ...made, plan, namespace, errors }, this.#options.cache, signal);
  }

  async report(set: SyncSet, id: ResourceId, signal: AbortSignal): Promise<ObjectReport> {
    if (!this.isAllowed(id)) {
      return excludedReport;
    }
    const made = this.#makeAside(set);
    const { request } = prepareSync(set, made, this.#options);
    const syncError = this.#syncErrors.get(id) ?? "";
    const asked = { id, made, request: await this.#allowing(request, signal), syncError };
    return reportObject(asked, this.#options, signal);
  }

  syncErrors(): ReadonlyMap<ResourceId, string> {
    return this.#syncErrors;
  }

  /** The kinds that were in git at the last sync, once for each namespace. */
  kindsInUse(): readonly KindInUse[] {
    return this.#kindsInUse;
  }

  async pendingDeletions(set: SyncSet, signal: AbortSignal): Promise<PendingDeletions> {
    return pendingIn(await this.#plan(set, signal));
  }

  async confirmDeletions(set: SyncSet, ids: readonly ResourceId[], signal: AbortSignal): Promise<void> {
    const waiting = unconfirmedIn(await this.#plan(set, signal));
    const refused = ids.filter((id) => !waiting.has(id));
    if (refused.length > 0) {
      throw new NothingToConfirmError(refused);
    }
    for (const id of ids) {
      const kept = waiting.get(id);
      if (kept !== undefined) {
        await this.#options.engine.confirmDeletion(kept, signal);
      }
    }
  }

  async approveDeletions(set: SyncSet, signal: AbortSignal): Promise<ApprovedDeletions> {
    const held = heldBackIn(await this.#plan(set, signal));
    const allowed = { revision: set.revision, uids: held.flatMap(({ uid }) => uid ?? []) };
    const forgotten = held.length === 0 ? undefined : await this.#options.allowance.allow(allowed, signal);
    return { ids: held.map(({ key }) => idOf(key)), forgotten: forgotten ?? "" };
  }

  async publicSshKey(regenerate: boolean, signal: AbortSignal): Promise<PublicSshKey> {
    const { keyring } = this.#options;
    if (regenerate) {
      await keyring.regenerate(signal);
    }
    return keyring.publicKey();
  }

  onDrift(listener: () => void): Unsubscribe {
    return this.#options.engine.onDrift(() => listener());
  }

  onChange(listener: () => void): Unsubscribe {
    return this.#options.cache.subscribe(() => listener());
  }

  async #plan(set: SyncSet, signal: AbortSignal): Promise<SyncPlan> {
    const { request } = prepareSync(set, this.#makeAside(set), this.#options);
    return this.#options.engine.plan(await this.#allowing(request, signal), signal);
  }

  async #allowing(request: SyncRequest, signal: AbortSignal): Promise<SyncRequest> {
    return { ...request, approvedPrunes: await this.#allowed(request, signal) };
  }

  /** The objects that somebody has allowed to be deleted at this revision, where there's a limit. */
  async #allowed({ prune, revision }: SyncRequest, signal: AbortSignal): Promise<readonly string[]> {
    const { allowance, pruneLimit } = this.#options;
    return prune === "off" || pruneLimit === "100%" ? [] : allowance.allowedAt(revision, signal);
  }

  /** Who changed what this sync puts back; what a new revision changes, nobody else has changed. */
  #authorsOfDrift({ targets }: TargetSet, revision: string, signal: AbortSignal): Promise<ChangeAuthors> {
    const keys = this.#drifted.take();
    const isDrift = revision === this.#syncedRevision && keys.length > 0;
    const objects = new Map(isDrift ? targets.map(({ object }) => [printKey(keyOf(object)), object]) : []);
    return readAuthors(isDrift ? keys : [], (key) => objects.get(printKey(key)), this.#options, signal);
  }

  /** What is applied although another tool manages it too, by resource. */
  #rivals({ targets, resourceOf }: TargetSet): ReadonlyMap<ResourceId, string> {
    const rivals = new Map<ResourceId, string>();
    for (const { object } of targets) {
      const key = keyOf(object);
      const live = this.#options.cache.get(key);
      const owner = live && rivalOwner(live, object);
      if (owner !== undefined) {
        rivals.set(resourceOf(key)?.id ?? idOf(key), owner);
      }
    }
    return rivals;
  }

  /** Logs what is in git and isn't applied, and what is applied unexpectedly. */
  #tellLeftOut(made: TargetSet): void {
    for (const { id, source } of made.ignored) {
      this.#syncLogger.log({
        info: `not applying resource; ${ignoredInFile}`,
        resource: id,
        source,
      });
    }
    if (made.excluded.length > 0) {
      this.#syncLogger.log({
        warning: "not applying resources; excluded by namespace constraints",
        resources: made.excluded.join(","),
      });
    }
    this.#tellClusterScoped(made);
  }

  /** The flag for allowed namespaces appears to cover all operations, so what it doesn't restrict is logged once. */
  #tellClusterScoped({ checksums }: TargetSet): void {
    const { allowedNamespaces, logger } = this.#options;
    const ids = allowedNamespaces.size === 0 ? [] : unboundIds(checksums.keys());
    const resources = ids.join(",");
    if (resources !== this.#clusterScopedTold && resources !== "") {
      logger.log({
        warning: "--k8s-allow-namespace doesn't restrict cluster-scoped resources; they are applied",
        resources,
      });
    }
    this.#clusterScopedTold = resources;
  }

  /** Doesn't use the maker for syncs, which remembers the set that was synced last. */
  #makeAside(set: SyncSet): TargetSet {
    return new TargetMaker(this.#options.allowedNamespaces).make(set);
  }

  #someWorkload(id: ResourceId): Workload | undefined {
    const { namespace, kind, name } = partsOfResourceId(id);
    const groupKind = workloadKindOf(kind);
    if (!groupKind) {
      this.#options.logger.log({
        warning: "automation of this resource kind is not supported",
        resource: id,
      });
      return undefined;
    }
    const object = this.#options.cache.get({ ...groupKind, namespace, name });
    return object && this.#workload(object);
  }

  #workload(object: KubeObject): Workload | undefined {
    return toWorkload(object, (id) => this.#syncErrors.get(id));
  }
}

export interface FluxClusterOptions extends Omit<SyncSources, "cache"> {
  readonly engine: ClusterEngine;
  readonly cache: ClusterCache;
  readonly client: RestClient;
  readonly discovery: Pick<Discovery, "kinds">;
  readonly keyring: SshKeyring;
  /** Keeps what a person allows beyond the limit. */
  readonly allowance: PruneAllowance;
  readonly logger: Logger;
}

/** The namespaces to list; undefined stands for all of them. */
function namespacesToList(asked: string, allowed: ReadonlySet<string>): readonly (string | undefined)[] {
  if (allowed.size === 0) {
    return [asked === "" ? undefined : asked];
  }
  return [...allowed].filter((namespace) => asked === "" || namespace === asked);
}

/** What a plan leaves alone until somebody confirms it. */
function pendingIn(plan: SyncPlan): PendingDeletions {
  const held = heldBackIn(plan);
  return {
    unconfirmed: [...unconfirmedIn(plan).keys()],
    heldBack: held.map(({ key }) => idOf(key)),
    reason: held[0]?.reason ?? "",
  };
}

/** The objects of a plan that wait for a confirmation, by ID. */
function unconfirmedIn({ kept }: SyncPlan): ReadonlyMap<ResourceId, KeptObject> {
  return new Map(kept.filter(({ guard }) => guard === "unconfirmed").map((each) => [idOf(each.key), each]));
}

/** The objects of a plan that are held back because they're too many. */
function heldBackIn({ kept }: SyncPlan): readonly KeptObject[] {
  return kept.filter(({ guard }) => guard === "prune-limit");
}
