/**
 * What was generated and what was made of it in, the text of a patch file out, and back: after Flux's
 * pkg/cluster/kubernetes/patch.go. Resources are matched by their IDs as generated, without the namespaces that
 * they will go to.
 */

import { compareGoStrings, messageOf } from "@weir/base";
import { makeResourceId, type ResourceId } from "../../resource/id.ts";
import { duplicateError } from "../collect.ts";
import { joinDocuments } from "../documents.ts";
import type { Manifest } from "../manifest.ts";
import { patchBetween, patchedDocument } from "./resource-patch.ts";

/** A patch cannot be made, or does not fit the resource that it is for. */
export class ManifestPatchError extends Error {
  override readonly name = "ManifestPatchError";
  readonly id: ResourceId;

  constructor(message: string, id: ResourceId, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
  }
}

/**
 * The text of the patch that turns the original manifests into the modified ones: a document for each resource
 * that differs, by ID. What only one of the two has is left out. Throws ManifestPatchError or
 * DuplicateManifestError.
 */
export function createManifestPatch(original: readonly Manifest[], modified: readonly Manifest[]): string {
  const after = byId(modified);
  const patches = sorted(original).flatMap((manifest) => {
    const changed = after.get(manifest.id);
    return changed === undefined || changed === manifest ? [] : (documentPatch(manifest, changed) ?? []);
  });
  return joinDocuments(patches);
}

/** A manifest, and the text of the document that its patch makes of it; undefined where it has no patch. */
export interface PatchedManifest {
  readonly manifest: Manifest;
  readonly text: string | undefined;
}

/**
 * The original manifests by ID, with what the patches make of them. Throws ManifestPatchError, also for a patch of
 * a resource that is not there, or DuplicateManifestError.
 */
export function applyManifestPatch(
  original: readonly Manifest[],
  patches: readonly Manifest[],
): readonly PatchedManifest[] {
  const originals = byId(original);
  const lost = patches.find(({ id }) => !originals.has(id));
  if (lost !== undefined) {
    const id = writtenId(lost);
    throw new ManifestPatchError(`patch refers to missing resource (${id})`, id);
  }
  const patchOf = byId(patches);
  return sorted(original).map((manifest) => {
    const patch = patchOf.get(manifest.id);
    return { manifest, text: patch && patchedText(manifest, patch) };
  });
}

function documentPatch(original: Manifest, modified: Manifest): string | undefined {
  try {
    return patchBetween(original, modified);
  } catch (error) {
    const message = `cannot obtain patch for resource ${original.id}: ${messageOf(error)}`;
    throw new ManifestPatchError(message, original.id, { cause: error });
  }
}

function patchedText(original: Manifest, patch: Manifest): string {
  try {
    return patchedDocument(original, patch);
  } catch (error) {
    const message = `cannot apply patch for resource ${original.id}: ${messageOf(error)}`;
    throw new ManifestPatchError(message, original.id, { cause: error });
  }
}

/** With the namespace as it is written, which may be none. */
function writtenId({ content: { namespace, kind, name } }: Manifest): ResourceId {
  return makeResourceId(namespace, kind, name);
}

/** Patches are found by ID, so that none may be there twice. */
function byId(manifests: readonly Manifest[]): ReadonlyMap<ResourceId, Manifest> {
  const found = new Map<ResourceId, Manifest>();
  for (const manifest of manifests) {
    if (found.has(manifest.id)) {
      throw duplicateError(manifest.id, manifest, manifest);
    }
    found.set(manifest.id, manifest);
  }
  return found;
}

function sorted(manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.toSorted((a, b) => compareGoStrings(a.id, b.id));
}
