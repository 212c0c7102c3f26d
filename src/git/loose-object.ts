import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";

const compress = promisify(deflate);

/** An object to store in a repository. */
export interface NewObject {
  readonly type: "commit";
  readonly content: Uint8Array;
  /** The hash that the repository uses. */
  readonly hash: "sha1" | "sha256";
}

/**
 * Stores an object in the folder of a repository's objects, which nobody else writes to, and returns its ID. Saves the
 * start of a `git hash-object`, which takes longer than to make a signature.
 */
export async function storeLoose(objects: string, { type, content, hash }: NewObject): Promise<string> {
  const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = createHash(hash).update(object).digest("hex");
  const folder = join(objects, id.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, id.slice(2)), await compress(object), { mode: 0o444 });
  return id;
}
