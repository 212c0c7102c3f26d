import { clusterScope, makeResourceId, type ResourceId } from "../resource/id.ts";
import type { Resource } from "../resource/resource.ts";
import { collectManifests, duplicateError, type ManifestProblem } from "./collect.ts";
import type { DuplicateManifestError } from "./errors.ts";
import type { Manifest } from "./manifest.ts";
import type { ParsedFile } from "./parse.ts";
import { lookUpScopes, type ScopePort, type ScopeTable } from "./scope.ts";

/** What a set of resources is made of. */
export interface AssembleOptions {
  /** In the order in which they are loaded. */
  readonly files: readonly ParsedFile[];
  /** What files that could not be read to their end held when they last could. */
  readonly before: readonly Manifest[];
  readonly scopes: ScopePort;
  readonly signal: AbortSignal;
  /** Leave out what is wrong and go on with the rest, instead of failing at the first problem. */
  readonly quarantine: boolean;
}

/** Resources by ID, and what is missing among them. */
export interface ManifestSet {
  /** With the namespaces that they go to, in the order of the files. */
  readonly resources: ReadonlyMap<ResourceId, Resource>;
  /** All that is wrong; nothing unless in quarantine, where the first problem is not thrown. */
  readonly problems: readonly ManifestProblem[];
  /** What the files define, or did when they were last read, but is not among the resources: not to be deleted. */
  readonly heldBack: readonly ResourceId[];
  /** Files that could not be read to their end, so that nobody knows what else they define. */
  readonly incompleteFiles: readonly string[];
  /** False where there are such files: then nothing may be deleted for not being among the resources. */
  readonly complete: boolean;
  /** Left out because the cluster does not know their kind. */
  readonly unscoped: readonly Manifest[];
}

/**
 * Makes resources of manifests. Throws the first problem where not in quarantine: a ManifestError or a
 * DuplicateManifestError. Rejects where the cluster does not answer.
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

/** A file below two of the paths is a problem as Flux v1 sees it; in quarantine it need not be one. */
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
  /** Manifests that turn out to define the same resource, one of them without naming the namespace. */
  readonly clashing: readonly Manifest[];
  readonly problems: readonly DuplicateManifestError[];
}

/** Flux v1 drops any one of clashing manifests; here they are a problem as duplicates in files are. */
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

/** Where an object goes; "" for one of the cluster, undefined where that is not known. */
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

/** The IDs that a manifest may have in the cluster: more than one where its scope is not known. */
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
