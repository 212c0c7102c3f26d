import { globMatches } from "@weir/base";
import { apiVersionOf, type GroupVersionKind } from "@weir/kube";

/**
 * True if --k8s-unsafe-exclude-resource excludes a kind in one version. As in Flux v1, a glob is matched against
 * "<group>/<version>/" for all kinds of a version, and against "<group>/<version>/<Kind>".
 */
export function isExcludedKind(
  { group, version, kind }: GroupVersionKind,
  globs: readonly string[],
): boolean {
  const groupVersion = `${apiVersionOf(group, version)}/`;
  return globs.some((glob) => globMatches(glob, groupVersion) || globMatches(glob, groupVersion + kind));
}
