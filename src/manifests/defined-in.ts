import type { Resource, ResourceId } from "@weir/flux";
import { decodeSource } from "@weir/yaml/go-yaml";
import { assembleManifests } from "./assemble.ts";
import { ManifestError } from "./errors.ts";
import { type ParsedFile, parseManifests } from "./parse.ts";
import type { ScopePort } from "./scope.ts";

/** The content of a file. */
export interface FileText {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly content: Uint8Array;
}

/**
 * The resources that some files define by themselves, in their effective namespaces. What can't be read is left out,
 * and nothing is decrypted or generated. Rejects if the cluster doesn't respond.
 */
export async function definedIn(
  files: readonly FileText[],
  scopes: ScopePort,
  signal: AbortSignal,
): Promise<ReadonlyMap<ResourceId, Resource>> {
  const parsed = files.map(parse);
  return (await assembleManifests({ files: parsed, before: [], scopes, signal, quarantine: true })).resources;
}

function parse({ path, content }: FileText): ParsedFile {
  try {
    return parseManifests(decodeSource(content), path);
  } catch (error) {
    if (error instanceof ManifestError) {
      return { source: path, manifests: [], error };
    }
    throw error;
  }
}
