import { messageOf, quoteGo } from "@weir/base";
import type { Resource } from "@weir/flux";
import { checkSource } from "@weir/yaml/go-yaml";
import { DuplicateManifestError, ManifestError, ResourceNotFoundError } from "../errors.ts";
import type { Manifest } from "../manifest.ts";
import { type ParsedFile, parseManifests } from "../parse.ts";
import { applyManifestPatch, createManifestPatch, ManifestPatchError } from "../patch/manifest-patch.ts";
import type { ConfigPlace } from "./find-config.ts";

/** Applies the patches of a patch file to generated manifests. Throws ManifestError if they don't fit. */
export function patchGenerated(
  generated: ParsedFile,
  patches: ParsedFile,
  { file, source }: ConfigPlace,
): ParsedFile {
  const fail = (reason: string, cause: unknown): never => {
    const message = `processing ${quoteGo(file)}, cannot apply patchFile ${quoteGo(patches.source)} to generated resources: ${reason}`;
    throw new ManifestError(message, source, { cause });
  };
  if (patches.error !== undefined) {
    return fail(`cannot parse ${patches.source}: ${patches.error.message}`, patches.error);
  }
  try {
    const patched = applyManifestPatch(generated.manifests, patches.manifests);
    const files = patched.map(({ manifest, text }) =>
      text === undefined
        ? { manifests: [manifest], error: undefined }
        : parseManifests(checkSource(text), source),
    );
    const error = files.find((file) => file.error !== undefined)?.error;
    return { source, manifests: files.flatMap(({ manifests }) => manifests), error };
  } catch (error) {
    if (error instanceof ManifestPatchError || error instanceof DuplicateManifestError) {
      return fail(messageOf(error), error);
    }
    throw error;
  }
}

/** A resource in generated manifests that are patched. */
export interface PatchSubject {
  /** As the generators print them. */
  readonly generated: ParsedFile;
  /** With the existing patch. */
  readonly patched: ParsedFile;
  readonly resource: Resource;
}

/**
 * The text of a patch file that gives a resource the text that `edit` returns; undefined if the existing patch already
 * does that. Throws ManifestPatchError.
 */
export function patchWith(
  { generated, patched, resource }: PatchSubject,
  edit: (text: Uint8Array) => string | undefined,
): string | undefined {
  const manifest = patched.manifests.find(({ content }) => content.bytes === resource.bytes);
  if (manifest === undefined) {
    throw new ResourceNotFoundError(resource.id);
  }
  const text = edit(Buffer.from(manifest.content.bytes));
  if (text === undefined) {
    return undefined;
  }
  const edited = parseManifests(checkSource(text), patched.source).manifests;
  const wanted = patched.manifests.flatMap((each): readonly Manifest[] =>
    each === manifest ? edited : [each],
  );
  const before = createManifestPatch(generated.manifests, patched.manifests);
  const after = createManifestPatch(generated.manifests, wanted);
  return after === before ? undefined : after;
}
