import type { IgnoredObject } from "../generators/ignored.ts";

/**
 * Whether a sync applies a manifest. The annotation of the manifest counts, and that of the live object where Flux
 * sees it: it lists no objects that have an owner, no kinds that are excluded, and no Endpoints.
 * pkg/cluster/kubernetes/sync.go, Sync and getAllowedResourcesBySelector.
 */
export function isApplied({ kind, isOwned, git, cluster }: IgnoredObject): boolean {
  const isSeen = !isOwned && kind === "ConfigMap";
  return !isIgnored(git) && !(isSeen && isIgnored(cluster));
}

function isIgnored(annotations: Readonly<Record<string, string>>): boolean {
  return annotations["fluxcd.io/ignore"] === "true" || annotations["flux.weave.works/ignore"] === "true";
}
