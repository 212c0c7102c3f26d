import { clusterScope, makeResourceId, type Resource, type ResourceId } from "@weir/flux";
import { collectManifests, duplicateError, type ManifestProblem } from "./collect.ts";
import type { DuplicateManifestError } from "./errors.ts";
import type { Manifest } from "./manifest.ts";
import type { ParsedFile } from "./parse.ts";
import { lookUpScopes, type ScopePort, type ScopeTable } from "./scope.ts";

/** Resources by ID, and what's missing among them. */
export interface ManifestSet {
  /** With their effective namespaces, in the order of the files. */
  readonly resources: ReadonlyMap<ResourceId, Resource>;
  /** All problems; always empty without quarantine, because the first problem is thrown then. */
  readonly problems: readonly ManifestProblem[];
  /**
   * Resources that the files define, or defined when they were last read, but that aren't in `resources`; they must not
   * be deleted.
   */
  readonly heldBack: readonly ResourceId[];
  /** Files that couldn't be read completely, so that the rest of their content isn't known. */
  readonly incompleteFiles: readonly string[];
  /** False if there are such files. Then a resource that's missing from `resources` must not be deleted. */
  readonly complete: boolean;
  /** Left out because the cluster doesn't know their kind. */
  readonly unscoped: readonly Manifest[];
}

/**
 * Builds resources from manifests. Without quarantine, throws the first problem: a ManifestError or a
 * DuplicateManifestError. Rejects if the cluster doesn't respond.
 */
export async function assembleManifests(options: AssembleOptions): Promise<ManifestSet> {
  const { before, quarantine, scopes: port, signal } = options;
  const files = quarantine ? withoutRepeats(options.files) : options.files;
  const { manifests, problems, heldBack } = collectManifests(files);
  failAtFirst(problems, quarantine);
  const candidates = [...manifests.values()];
  const held = [...heldBack, ...before];
  const scopes = await lookUpScopes([...candidates, ...held], port, signal);
  const placed = placeManifests(candidates, scopes, port.defaultNamespace);
  failAtFirst(placed.problems, quarantine);
  const heldIds = [...held, ...placed.clashing, ...placed.unscoped].flatMap((manifest) =>
    possibleIds(manifest, scopes, port.defaultNamespace),
  );
  const incompleteFiles = files.filter(({ error }) => error !== undefined).map(({ source }) => source);
  return {
    resources: placed.resources,
    problems: [...problems, ...placed.problems],
    heldBack: [...new Set(heldIds)].filter((id) => !placed.resources.has(id)),
    incompleteFiles,
    complete: incompleteFiles.length === 0,
    unscoped: placed.unscoped,
  };
}

export interface AssembleOptions {
  /** In the order in which they're loaded. */
  readonly files: readonly ParsedFile[];
  /** The earlier manifests of files that can't be read completely now, from when they last could. */
  readonly before: readonly Manifest[];
  readonly scopes: ScopePort;
  readonly signal: AbortSignal;
  /** Leave out what's wrong and continue with the rest, instead of failing at the first problem. */
  readonly quarantine: boolean;
}

/** Flux v1 reports a file that's below two of the paths as a problem; with quarantine, it isn't one. */
function withoutRepeats(files: readonly ParsedFile[]): readonly ParsedFile[] {
  return [...new Map(files.map((file) => [file.source, file])).values()];
}

function failAtFirst(problems: readonly ManifestProblem[], quarantine: boolean): void {
  const [first] = problems;
  if (first !== undefined && !quarantine) {
    throw first;
  }
}

interface Placed {
  readonly resources: ReadonlyMap<ResourceId, Resource>;
  readonly unscoped: readonly Manifest[];
  /** Manifests that turn out to define the same resource, because one of them doesn't name its namespace. */
  readonly clashing: readonly Manifest[];
  readonly problems: readonly DuplicateManifestError[];
}

/** Flux v1 drops any one of the clashing manifests; here they're a problem, like duplicates in files. */
function placeManifests(
  manifests: readonly Manifest[],
  scopes: ScopeTable,
  defaultNamespace: string,
): Placed {
  const byId = new Map<ResourceId, Manifest>();
  const resources = new Map<ResourceId, Resource>();
  const unscoped: Manifest[] = [];
  const clashing: Manifest[] = [];
  const problems: DuplicateManifestError[] = [];
  for (const manifest of manifests) {
    const namespace = namespaceOf(manifest, scopes, defaultNamespace);
    if (namespace === undefined) {
      unscoped.push(manifest);
      continue;
    }
    const resource = manifest.resourceIn(namespace);
    const other = byId.get(resource.id);
    if (other !== undefined) {
      problems.push(duplicateError(resource.id, other, manifest));
      clashing.push(other, manifest);
    }
    byId.set(resource.id, manifest);
    resources.set(resource.id, resource);
  }
  for (const { id } of problems) {
    resources.delete(id);
  }
  return { resources, unscoped, clashing, problems };
}

/** The namespace of an object; "" if it's cluster-scoped, undefined if that isn't known. */
function namespaceOf(
  { content }: Manifest,
  scopes: ScopeTable,
  defaultNamespace: string,
): string | undefined {
  switch (scopes(content)) {
    case "namespaced":
      return content.namespace === "" ? defaultNamespace : content.namespace;
    case "cluster":
      return "";
    case "unknown":
      return undefined;
  }
}

/** The IDs that a manifest may have in the cluster: several if its scope isn't known. */
function possibleIds(
  manifest: Manifest,
  scopes: ScopeTable,
  defaultNamespace: string,
): readonly ResourceId[] {
  const { kind, name, namespace: written } = manifest.content;
  const namespace = namespaceOf(manifest, scopes, defaultNamespace);
  const namespaces =
    namespace === undefined ? [clusterScope, written === "" ? defaultNamespace : written] : [namespace];
  return namespaces.map((one) => makeResourceId(one === "" ? clusterScope : one, kind, name));
}
