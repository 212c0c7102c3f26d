/**
 * Decides which live objects fluxd leaves to other tools. Flux v1 applies everything that's in git, so only objects that
 * it has nothing to do with are left alone.
 */
import { type ForeignOwner, foreignOwnersOf, lastAppliedAnnotation } from "@weir/engine";
import { checksumAnnotation, markLabel } from "@weir/flux";
import { annotationOf, type KubeObject, labelOf } from "@weir/kube";

/**
 * Flux v2 applies the same manifests as its predecessor: whoever switches to it and back needs their objects to be
 * applied by either.
 */
const successor = "kustomize-controller";

/** Who manages an object that's in git, so that it isn't applied; undefined if it's nobody or Flux. */
export function foreignOwner(live: KubeObject, target: KubeObject | undefined): string | undefined {
  const owner = foreignOwnersOf(live, target).find(({ tool }) => tool !== successor);
  return owner === undefined || isKnown(live) ? undefined : printOwner(owner);
}

/** Who also manages an object that's applied nevertheless; undefined for nobody. */
export function rivalOwner(live: KubeObject, target: KubeObject | undefined): string | undefined {
  const [owner] = foreignOwnersOf(live, target);
  return owner === undefined || foreignOwner(live, target) !== undefined ? undefined : printOwner(owner);
}

/** True for objects that Flux or `kubectl apply` have applied before. */
function isKnown(live: KubeObject): boolean {
  return (
    labelOf(live, markLabel) !== undefined ||
    annotationOf(live, checksumAnnotation) !== undefined ||
    annotationOf(live, lastAppliedAnnotation) !== undefined
  );
}

function printOwner({ tool, name }: ForeignOwner): string {
  return `${tool} (${name})`;
}
