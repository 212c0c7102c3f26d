import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { readFileInside } from "./read-file.ts";
import { replaceFileInside } from "./write-file.ts";

/**
 * Changes the content of a file in a checkout, completely or not at all. `change` returns the new text, or undefined to
 * leave it unchanged. Resolves to the new text; undefined if the file stays the same. Rejects with errors from
 * `change`, with UnreadableFileError, or with UnwritableFileError; the file is unchanged then.
 */
export async function editFileInside(
  root: string,
  source: string,
  change: (content: Buffer) => Promise<string | undefined>,
): Promise<string | undefined> {
  const realRoot = await realpath(root);
  const path = join(realRoot, source);
  const before = await readFileInside(realRoot, path);
  const after = await change(before);
  if (after === undefined || before.equals(Buffer.from(after))) {
    return undefined;
  }
  await replaceFileInside(realRoot, path, after);
  return after;
}
