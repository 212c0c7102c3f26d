import { silentLogger, systemClock } from "@weir/base";
import { createClusterCache, createClusterEngine, type PruneLimit, type PruneMode } from "@weir/engine";
import { markLabel, type ResourcePreview, type SyncSet } from "@weir/flux";
import { createDiscovery, type RestClient } from "@weir/kube/rest";
import { noKeyring } from "../../cluster-state/ssh-keyring.ts";
import { FluxCluster } from "../../engine-adapter/cluster.ts";
import { isExcludedKind } from "../../engine-adapter/excluded-kinds.ts";
import { createSecretPruneAllowance } from "../../engine-adapter/prune-allowance.ts";

/** A cluster, and the rules of a sync to it. */
export interface PreviewOptions {
  readonly client: RestClient;
  readonly allowedNamespaces: readonly string[];
  readonly excludedKinds: readonly string[];
  readonly prune: PruneMode;
  readonly pruneLimit: PruneLimit;
  readonly takeOver: boolean;
}

/** What a sync of these resources would change. Writes are only dry runs. Rejects if the cluster doesn't respond. */
export async function previewSync(
  set: SyncSet,
  options: PreviewOptions,
  signal: AbortSignal,
): Promise<readonly ResourcePreview[]> {
  const { client, allowedNamespaces, excludedKinds, prune, pruneLimit, takeOver } = options;
  const shared = { client, clock: systemClock, logger: silentLogger };
  const discovery = createDiscovery(client);
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
    allowance: createSecretPruneAllowance(client, undefined, silentLogger),
    allowedNamespaces: new Set(allowedNamespaces),
    prune,
    pruneLimit,
    takeOver,
    preflight: false,
  });
  return await cluster.preview(set, signal);
}
