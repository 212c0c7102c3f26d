import { type Clock, Deadline } from "@weir/base";
import { ManifestError } from "../errors.ts";
import { folderFiles } from "../files/folder-files.ts";
import { loadFiles } from "../load.ts";
import { ManifestSumError } from "../manifest-sum.ts";
import type { ParsedFile } from "../parse.ts";
import { ManifestPatchError } from "../patch/manifest-patch.ts";
import { CommandError } from "./command-error.ts";
import type { SecretValues } from "./secret-values.ts";

/** How long to search files for secret values, in milliseconds. */
const searchLimit = 5_000;

/** The secret values, and the clock for the search's time limit. */
export interface TellingSettings {
  readonly secrets: SecretValues;
  readonly clock: Clock;
}

const withheld = "(not shown: cannot search the repository for Secrets)";

/**
 * Removes the values of Secrets from the error of a command, a patch, or generated manifests: those that are known,
 * that were generated, or that are in a file of the checkout. Returns any other error as it is.
 */
export async function tellableError<E>(
  error: E,
  root: string,
  settings: TellingSettings,
): Promise<E | ManifestError> {
  if (error instanceof CommandError) {
    const { message, source, generated } = error;
    return new ManifestError(await withoutSecrets(message, root, settings, generated), source);
  }
  if (error instanceof ManifestError) {
    const { message, source, line } = error;
    return new ManifestError(await withoutSecrets(message, root, settings), source, { line });
  }
  if (error instanceof ManifestPatchError) {
    return new ManifestError(await withoutSecrets(error.message, root, settings), "");
  }
  return error;
}

/** A command may print any file, so all files are searched; if that fails, the output isn't shown. */
async function withoutSecrets(
  text: string,
  root: string,
  { secrets, clock }: TellingSettings,
  generated?: ParsedFile,
): Promise<string> {
  try {
    using limit = new Deadline(clock, searchLimit);
    const { files } = await loadFiles({ files: folderFiles(root), paths: [], signal: limit.signal });
    const unread = files.find(({ error }) => error instanceof ManifestSumError);
    if (unread?.error !== undefined) {
      throw unread.error;
    }
    return secrets.hideIn(text, generated === undefined ? files : [generated, ...files]);
  } catch {
    const [firstLine = ""] = text.split("\n");
    return `${secrets.hideIn(firstLine)}\n${withheld}`;
  }
}
