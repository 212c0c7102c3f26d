import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf, quoteGo } from "@weir/base";
import { isInside } from "@weir/base/node";
import { decodeSource } from "@weir/yaml/go-yaml";
import { ManifestError } from "../errors.ts";
import { isThere } from "../files/is-there.ts";
import { readFileInside, UnreadableFileError } from "../files/read-file.ts";
import { putFileInside } from "../files/write-file.ts";
import { ManifestSum } from "../manifest-sum.ts";
import { type ParsedFile, parseInSteps } from "../parse.ts";
import { Turns } from "../turns.ts";
import type { ConfigPlace } from "./find-config.ts";

/** The mode of a new patch file. Same as in Flux v1. */
const mode = 0o600;

/**
 * The patches in a .flux.yaml's patch file; none if the file doesn't exist yet but its folder does. Rejects with
 * ManifestError if the file can't be read or is outside the repository.
 */
export async function readPatchFile(
  place: ConfigPlace,
  patchFile: string,
  signal: AbortSignal,
): Promise<ParsedFile> {
  const { path, realRoot } = await locate(place, patchFile);
  if (!(await isThere(path))) {
    return { source: patchFile, manifests: [], error: undefined };
  }
  try {
    const text = decodeSource(await readFileInside(realRoot, path));
    return await new Turns().run(parseInSteps(text, patchFile, new ManifestSum()), signal);
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      const message = `patchFile ${quoteGo(patchFile)} of ${quoteGo(place.file)} cannot be read: ${messageOf(error)}`;
      throw new ManifestError(message, place.source, { cause: error });
    }
    throw error;
  }
}

/** Writes a .flux.yaml's patch file, completely or not at all. Rejects with ManifestError or UnwritableFileError. */
export async function writePatchFile(place: ConfigPlace, patchFile: string, text: string): Promise<void> {
  const { path, realRoot } = await locate(place, patchFile);
  await putFileInside(realRoot, path, { content: text, mode });
}

async function locate(
  { root, workingDir, file, source }: ConfigPlace,
  patchFile: string,
): Promise<{ readonly path: string; readonly realRoot: string }> {
  const path = join(workingDir, patchFile);
  const realRoot = await realpath(root);
  const folder = await realpath(dirname(path)).catch((cause: unknown) => {
    const message = `base directory (${quoteGo(dirname(patchFile))}) of patchFile (${quoteGo(patchFile)}) does not exist`;
    throw new ManifestError(message, source, { cause });
  });
  if (!isInside(path, root) || !isInside(folder, realRoot)) {
    const message = `patchFile ${quoteGo(patchFile)} of ${quoteGo(file)} leads out of the repository`;
    throw new ManifestError(message, source);
  }
  return { path, realRoot };
}
