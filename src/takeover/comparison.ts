/** Takes the manifests of a commit, and returns what the first sync would change. Writes are only dry runs. */
import { type Environment, silentLogger, systemClock } from "@weir/base";
import { createClusterCache, createClusterEngine } from "@weir/engine";
import { createDiscovery, type Discovery, type RestClient } from "@weir/kube/rest";
import type { ResourcePreview } from "../cluster/preview.ts";
import type { SyncSet } from "../cluster/sync-set.ts";
import { FluxCluster } from "../engine-adapter/cluster.ts";
import { isExcludedKind } from "../engine-adapter/excluded-kinds.ts";
import { kindsInUse } from "../engine-adapter/kinds-in-use.ts";
import { markLabel } from "../engine-adapter/marks.ts";
import { usualRules } from "../engine-adapter/prepare-sync.ts";
import type { KindInUse } from "../engine-adapter/rights.ts";
import { DiscoveredScopes } from "../engine-adapter/scope.ts";
import { noKeyring } from "../engine-adapter/ssh-keyring.ts";
import { TargetMaker } from "../engine-adapter/target-set.ts";
import type { Repository } from "../git/repository.ts";
import { syncSetName } from "../git/sync-set-name.ts";
import { ConfigAwareFiles } from "../manifests/config-aware-files.ts";
import { SecretValues } from "../manifests/generate/secret-values.ts";
import { type LoadResult, loadManifests } from "../manifests/load.ts";
import type { ResourceId } from "../resource/id.ts";
import type { SyncFlags } from "./sync-flags.ts";

/** What to compare, and with which cluster. */
export interface ComparisonOptions {
  readonly repository: Repository;
  readonly sync: SyncFlags;
  /** For manifests without a namespace. */
  readonly defaultNamespace: string;
  /** Refuses to write. */
  readonly client: RestClient;
  /** The environment of generators, if they're run. */
  readonly env: Environment;
}

/** What a sync would change. */
export interface Comparison {
  readonly revision: string;
  /** The objects in git. */
  readonly ids: ReadonlySet<ResourceId>;
  readonly changes: readonly ResourcePreview[];
  readonly kindsInUse: readonly KindInUse[];
}

/** Compares the branch head with the cluster. Rejects if manifests can't be loaded or the cluster doesn't respond. */
export async function compare(options: ComparisonOptions, signal: AbortSignal): Promise<Comparison> {
  const { repository, client, sync } = options;
  const discovery = createDiscovery(client);
  const revision = await repository.branchHead(signal);
  const { resources, heldBack, incompleteFiles } = await load(revision, discovery, options, signal);
  const set: SyncSet = {
    name: syncSetName(sync.url, sync.branch, sync.paths),
    revision,
    resources,
    heldBack,
    complete: incompleteFiles.length === 0,
  };
  const changes = await preview(set, discovery, options, signal);
  const targets = new TargetMaker(new Set(sync.allowedNamespaces)).make(set);
  return { revision, ids: new Set(resources.keys()), changes, kindsInUse: kindsInUse(targets) };
}

async function load(
  revision: string,
  discovery: Discovery,
  { repository, sync, defaultNamespace, env }: ComparisonOptions,
  signal: AbortSignal,
): Promise<LoadResult> {
  const { manifestGeneration, paths, quarantine, syncTimeout } = sync;
  await using files = await repository.export(revision, signal, { writable: manifestGeneration });
  const scopes = new DiscoveredScopes(discovery, defaultNamespace);
  const options = { root: files.dir, paths, scopes, quarantine };
  if (!manifestGeneration) {
    return await loadManifests({ ...options, signal });
  }
  const generation = {
    environment: env,
    timeout: syncTimeout,
    clock: systemClock,
    secrets: new SecretValues(),
  };
  return await new ConfigAwareFiles({ ...options, generation }).load(signal);
}

async function preview(
  set: SyncSet,
  discovery: Discovery,
  { client, sync }: ComparisonOptions,
  signal: AbortSignal,
): Promise<readonly ResourcePreview[]> {
  const { prune, allowedNamespaces, excludedKinds } = sync;
  const shared = { client, clock: systemClock, logger: silentLogger };
  await using cache = createClusterCache({
    ...shared,
    discovery,
    managedLabel: prune === "off" ? undefined : { key: markLabel },
    namespaces: allowedNamespaces,
    excludes: (gvk) => isExcludedKind(gvk, excludedKinds),
  });
  cache.start();
  const cluster = new FluxCluster({
    ...shared,
    engine: createClusterEngine({ ...shared, cache }),
    cache,
    discovery,
    keyring: noKeyring,
    allowedNamespaces: new Set(allowedNamespaces),
    prune,
    ...usualRules,
  });
  return await cluster.preview(set, signal);
}
