import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keptBuild } from "@weir/toolchain";

/** A file of the internet whose content is known in advance. */
export interface KnownFile {
  /** Its name in the cache. */
  readonly name: string;
  /** Where it can be had; the first that has it is taken. */
  readonly addresses: readonly string[];
  /** In hex. */
  readonly sha256: string;
  readonly signal: AbortSignal;
}

/**
 * The path of a file in the cache, which has it from the internet. Throws an error that names all addresses if none of them
 * has the file with this digest.
 */
export async function fetchedFile(file: KnownFile): Promise<string> {
  const folder = await keptBuild({
    name: "download",
    hash: file.sha256.slice(0, 32),
    fill: async (unfinished) => writeFile(join(unfinished, file.name), await download(file)),
    signal: file.signal,
  });
  const path = join(folder, file.name);
  if (!isRight(file, await readFile(path))) {
    throw new Error(`${path} was changed: remove that folder`);
  }
  return path;
}

async function download(file: KnownFile): Promise<Buffer> {
  const failures: string[] = [];
  for (const address of file.addresses) {
    try {
      const response = await fetch(address, { signal: file.signal });
      const content = Buffer.from(await response.arrayBuffer());
      if (response.ok && isRight(file, content)) {
        return content;
      }
      failures.push(`${address}: ${response.ok ? "another checksum" : `status ${response.status}`}`);
    } catch (error) {
      file.signal.throwIfAborted();
      failures.push(`${address}: ${String(error instanceof Error ? (error.cause ?? error) : error)}`);
    }
  }
  throw new Error(`can't download ${file.name}:\n${failures.join("\n")}`);
}

function isRight({ sha256 }: KnownFile, content: Buffer): boolean {
  return createHash("sha256").update(content).digest("hex") === sha256;
}
