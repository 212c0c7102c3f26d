import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { readFileInside } from "./read-file.ts";
import { replaceFileInside } from "./write-file.ts";

/**
 * Changes the content of a file of a checkout, whole or not at all. `change` gives the new text, or undefined to
 * leave it as it is. Resolves to the new text, undefined where the file stays the same. Rejects with what
 * `change` throws, UnreadableFileError or UnwritableFileError; the file is then as it was.
 */
export async function editFileInside(
  root: string,
  source: string,
  change: (content: Uint8Array) => string | undefined,
): Promise<string | undefined> {
  const realRoot = await realpath(root);
  const path = join(realRoot, source);
  const before = await readFileInside(realRoot, path);
  const after = change(before);
  if (after === undefined || before.equals(Buffer.from(after))) {
    return undefined;
  }
  await replaceFileInside(realRoot, path, after);
  return after;
}
