/** A kind without its version, which is the same across the versions of an API. The core group is "". */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** A kind in one version of its API. */
export interface GroupVersionKind extends GroupKind {
  readonly version: string;
}

/** The group of an apiVersion: "apps" for "apps/v1", "" for "v1". */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** The version of an apiVersion: "v1" for "apps/v1" and for "v1". */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}

/** The group, version, and kind of an object. */
export function gvkOf(object: { readonly apiVersion: string; readonly kind: string }): GroupVersionKind {
  return { group: groupOf(object.apiVersion), version: versionOf(object.apiVersion), kind: object.kind };
}

/** The apiVersion of a group and version: "apps/v1", or "v1" for the core group. */
export function apiVersionOf(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}
