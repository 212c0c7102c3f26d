import { checksumAnnotation } from "@weir/flux";
import { groupOf, type KubeObject } from "@weir/kube";

const mask = "+".repeat(8);
const otherMask = "+".repeat(9);

/**
 * Two states of a Secret (either may be missing) without the checksums of their manifests: somebody who knows the rest
 * of a manifest could try values until the checksum matches. It remains visible whether both are the same. Other kinds
 * are returned unchanged.
 */
export function hideChecksums(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): readonly [KubeObject | undefined, KubeObject | undefined] {
  const [old, now] = [checksumIn(before), checksumIn(after)];
  const differs = old !== undefined && now !== undefined && old !== now;
  return [hide(before, mask), hide(after, differs ? otherMask : mask)];
}

function checksumIn(object: KubeObject | undefined): string | undefined {
  return object?.metadata.annotations?.[checksumAnnotation];
}

function hide(object: KubeObject | undefined, by: string): KubeObject | undefined {
  const isSecret = object?.kind === "Secret" && groupOf(object.apiVersion) === "";
  if (!isSecret || checksumIn(object) === undefined) {
    return object;
  }
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [checksumAnnotation]: by } },
  };
}
