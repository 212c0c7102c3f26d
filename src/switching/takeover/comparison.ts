/** Takes the manifests of a commit, and returns what the first sync would change. Writes are only dry runs. */
import type { Environment } from "@weir/base";
import type { ResourceId, ResourcePreview, SyncSet } from "@weir/flux";
import { createDiscovery, type Discovery, type RestClient } from "@weir/kube/rest";
import { kindsInUse } from "../../engine-adapter/kinds-in-use.ts";
import { usualRules } from "../../engine-adapter/prepare-sync.ts";
import type { KindInUse } from "../../engine-adapter/rights.ts";
import { DiscoveredScopes } from "../../engine-adapter/scope.ts";
import { TargetMaker } from "../../engine-adapter/target-set.ts";
import type { Repository } from "../../git/repository.ts";
import { syncSetName } from "../../git/sync-set-name.ts";
import { type LoadedFolder, loadFolder } from "../comparison/load-folder.ts";
import { previewSync } from "../comparison/preview-sync.ts";
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
  const changes = await previewSync(set, { client, ...usualRules, ...sync }, signal);
  const targets = new TargetMaker(new Set(sync.allowedNamespaces)).make(set);
  return { revision, ids: new Set(resources.keys()), changes, kindsInUse: kindsInUse(targets) };
}

async function load(
  revision: string,
  discovery: Discovery,
  { repository, sync, defaultNamespace, env }: ComparisonOptions,
  signal: AbortSignal,
): Promise<LoadedFolder> {
  const { manifestGeneration, paths, quarantine, syncTimeout } = sync;
  await using files = await repository.export(revision, signal, { writable: manifestGeneration });
  return await loadFolder(
    {
      root: files.dir,
      paths,
      scopes: new DiscoveredScopes(discovery, defaultNamespace),
      quarantine,
      generators: manifestGeneration ? "run" : "ignore",
      generation: { env, timeout: syncTimeout },
    },
    signal,
  );
}
