import { type GroupVersionKind, groupOf, versionOf } from "@weir/kube";
import { fieldAt, fieldOf, itemsOf, textOf } from "./fields.ts";
import type { Manifest, ManifestContent } from "./manifest.ts";

/** Whether objects of a kind are namespaced. */
export type KindScope = "namespaced" | "cluster" | "unknown";

/** What must be known about the cluster to determine the namespaces of manifests. */
export interface ScopePort {
  /** The namespace of manifests that name none. */
  readonly defaultNamespace: string;
  /** The scope of a kind in exactly this version of its API. Rejects if the cluster doesn't respond. */
  scopeOf(kind: GroupVersionKind, signal: AbortSignal): Promise<KindScope>;
}

/** The scopes of the manifests' kinds. */
export type ScopeTable = (content: ManifestContent) => KindScope;

/**
 * Looks up the scopes of all kinds among manifests: in the cluster, or else in the CustomResourceDefinitions among the
 * manifests. Rejects if the cluster doesn't respond.
 */
export async function lookUpScopes(
  manifests: readonly Manifest[],
  port: ScopePort,
  signal: AbortSignal,
): Promise<ScopeTable> {
  const kinds = new Map(manifests.map(({ content }) => [keyOf(content), gvkOf(content)]));
  const found = await Promise.all(
    [...kinds].map(async ([key, kind]) => [key, await port.scopeOf(kind, signal)] as const),
  );
  const defined = definedScopes(manifests);
  const scopes = new Map(
    found.map(([key, scope]) => [key, scope === "unknown" ? (defined.get(key) ?? scope) : scope]),
  );
  return (content) => scopes.get(keyOf(content)) ?? "unknown";
}

/** The scopes of the kinds that CustomResourceDefinitions define, by API version and kind. */
function definedScopes(manifests: readonly Manifest[]): ReadonlyMap<string, KindScope> {
  const definitions = manifests.filter(({ content }) => content.kind === "CustomResourceDefinition");
  return new Map(definitions.flatMap(({ content }) => scopesDefinedBy(content)));
}

function scopesDefinedBy({ json }: ManifestContent): readonly (readonly [string, KindScope])[] {
  if ("error" in json) {
    return [];
  }
  const spec = fieldOf(json.value, "spec");
  const group = textOf(fieldOf(spec, "group"));
  const kind = textOf(fieldAt(spec, ["names", "kind"]));
  const scope = textOf(fieldOf(spec, "scope")) === "Namespaced" ? "namespaced" : "cluster";
  const listed = itemsOf(fieldOf(spec, "versions")).map((version) => textOf(fieldOf(version, "name")));
  const versions = listed.length > 0 ? listed : [textOf(fieldOf(spec, "version"))];
  return versions.map((version) => [`${group}/${version} ${kind}`, scope] as const);
}

function keyOf({ apiVersion, kind }: ManifestContent): string {
  return `${groupOf(apiVersion)}/${versionOf(apiVersion)} ${kind}`;
}

function gvkOf({ apiVersion, kind }: ManifestContent): GroupVersionKind {
  return { group: groupOf(apiVersion), version: versionOf(apiVersion), kind };
}
