import { checkSource } from "@weir/yaml/go-yaml";
import type { Manifest } from "../../src/manifests/manifest.ts";
import { type ParsedFile, parseManifests } from "../../src/manifests/parse.ts";
import type { KindScope, ScopePort } from "../../src/manifests/scope.ts";

/** A file with that text, parsed. */
export function parsedFile(text: string, source = "app.yaml"): ParsedFile {
  return parseManifests(checkSource(text), source);
}

/** The one manifest of a text. */
export function oneManifest(text: string, source = "app.yaml"): Manifest {
  const { manifests, error } = parsedFile(text, source);
  const [manifest] = manifests;
  if (error !== undefined || manifest === undefined || manifests.length > 1) {
    throw error ?? new Error(`expected one manifest, found ${manifests.length}`);
  }
  return manifest;
}

/** A cluster with the usual kinds, and these besides; all others are unknown to it. */
export function scopes(
  kinds: Readonly<Record<string, KindScope>> = {},
  defaultNamespace = "default",
): ScopePort {
  const known = new Map(
    Object.entries<KindScope>({
      Namespace: "cluster",
      ClusterRole: "cluster",
      CustomResourceDefinition: "cluster",
      ConfigMap: "namespaced",
      Deployment: "namespaced",
      HelmRelease: "namespaced",
      ...kinds,
    }),
  );
  return { defaultNamespace, scopeOf: ({ kind }) => Promise.resolve(known.get(kind) ?? "unknown") };
}
