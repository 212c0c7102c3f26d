/** The decisions of a comparison without a cluster. */

import { clusterScope, partsOfResourceId, type ResourcePreview, type SyncSet } from "@weir/flux";
import { type KubeObject, keyOf } from "@weir/kube";
import type { RefusedObject } from "./scratch-cluster.ts";

/** The namespaces and the definitions of kinds in a set, on which its other objects depend. */
export function onlyPremises(set: SyncSet): SyncSet {
  const kinds = new Set(["customresourcedefinition", "namespace"]);
  const premises = [...set.resources].filter(([id]) => kinds.has(partsOfResourceId(id).kind));
  return { ...set, resources: new Map(premises) };
}

/**
 * The namespaces in which a set has objects, and that none of the sets defines: somebody else must have made them, so
 * they're taken for granted.
 */
export function impliedNamespaces(
  set: SyncSet,
  defining: readonly SyncSet[],
  defaultNamespace: string,
): readonly KubeObject[] {
  const defined = new Set(
    defining.flatMap(({ resources }) =>
      [...resources.keys()]
        .map(partsOfResourceId)
        .flatMap(({ kind, name }) => (kind === "namespace" ? [name] : [])),
    ),
  );
  const used = [...set.resources.keys()].map((id) => partsOfResourceId(id).namespace);
  return [...new Set([defaultNamespace, ...used])]
    .filter((name) => name !== clusterScope && !defined.has(name))
    .map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
}

/** True for what a sync would do again, or leave again, only because it always does: the manifest is the same. */
export function isUnchangedSource(
  { id, action, error }: Pick<ResourcePreview, "id" | "action" | "error">,
  base: SyncSet | undefined,
  head: SyncSet,
): boolean {
  const bytes = head.resources.get(id)?.bytes;
  const isSame = bytes !== undefined && bytes === base?.resources.get(id)?.bytes;
  return isSame && error === "" && (action === "run" || action === "leave");
}

/** What a comparison can't tell because the API server refuses objects that are already there. */
export function refusalNotes(refused: readonly RefusedObject[]): readonly string[] {
  return refused.map(({ object, error }) => {
    const { kind, name, namespace } = keyOf(object);
    const which = `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
    return `${which} is missing in what is compared with, because the API server refuses it: ${error.replaceAll(/\s*\n\s*/g, " ")}`;
  });
}
