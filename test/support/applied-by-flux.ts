import { checksumOf } from "@weir/flux";
import type { KubeObject } from "@weir/kube";
import { createDiscovery, type RestClient } from "@weir/kube/rest";
import { DiscoveredScopes } from "../../src/engine-adapter/scope.ts";
import { withMarks } from "../../src/engine-adapter/target-set.ts";
import { syncSetName } from "../../src/git/sync-set-name.ts";
import { folderFiles } from "../../src/manifests/files/folder-files.ts";
import { toKubeObject } from "../../src/manifests/kube-object.ts";
import { loadManifests } from "../../src/manifests/load.ts";

/** What Flux v1 syncs. */
export interface SyncedByFlux {
  /** The folder of a checkout. */
  readonly root: string;
  readonly gitUrl: string;
  readonly branch?: string;
  readonly paths?: readonly string[];
  readonly defaultNamespace?: string;
}

/**
 * The objects as Flux v1 passes them to `kubectl apply`: with the checksum of their manifest, the mark of the sync set,
 * and their namespace; Namespaces come first.
 */
export async function appliedByFlux(
  { root, gitUrl, branch = "master", paths = [], defaultNamespace = "default" }: SyncedByFlux,
  client: RestClient,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const scopes = new DiscoveredScopes(createDiscovery(client), defaultNamespace);
  const { resources } = await loadManifests({ files: folderFiles(root), paths, scopes, signal });
  const name = syncSetName(gitUrl, branch, paths);
  const objects = [...resources.values()].map((resource) =>
    withMarks(toKubeObject(resource), {
      id: resource.id,
      checksum: checksumOf(resource.bytes),
      syncSetName: name,
    }),
  );
  return objects.toSorted((a, b) => Number(b.kind === "Namespace") - Number(a.kind === "Namespace"));
}
