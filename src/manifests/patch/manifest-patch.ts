/**
 * Creates the text of a patch file from generated and modified manifests, and applies it again. Based on Flux's
 * pkg/cluster/kubernetes/patch.go. Resources are matched by their IDs as generated, without effective namespaces.
 */

import { compareGoStrings, messageOf } from "@weir/base";
import { makeResourceId, type ResourceId } from "@weir/flux";
import { duplicateError } from "../collect.ts";
import { joinDocuments } from "../documents.ts";
import type { Manifest } from "../manifest.ts";
import { patchBetween, patchedDocument } from "./resource-patch.ts";

/**
 * The text of the patch that turns the original manifests into the modified ones: a document for each resource that
 * differs, by ID. Resources that only one side has are left out. Throws ManifestPatchError or DuplicateManifestError.
 */
export function createManifestPatch(original: readonly Manifest[], modified: readonly Manifest[]): string {
  const after = byId(modified);
  const patches = sorted(original).flatMap((manifest) => {
    const changed = after.get(manifest.id);
    return changed === undefined || changed === manifest ? [] : (documentPatch(manifest, changed) ?? []);
  });
  return joinDocuments(patches);
}

/** A patch can't be created, or doesn't fit its resource. */
export class ManifestPatchError extends Error {
  override readonly name = "ManifestPatchError";
  readonly id: ResourceId;

  constructor(message: string, id: ResourceId, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
  }
}

/** A manifest, and the patched text of its document; undefined if it has no patch. */
export interface PatchedManifest {
  readonly manifest: Manifest;
  readonly text: string | undefined;
}

/**
 * The original manifests by ID, with their patched texts. Throws ManifestPatchError, also for a patch whose resource
 * doesn't exist, or DuplicateManifestError.
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

/** With the namespace as written, possibly none. */
function writtenId({ content: { namespace, kind, name } }: Manifest): ResourceId {
  return makeResourceId(namespace, kind, name);
}

/** Patches are found by ID, so each ID must be unique. */
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
