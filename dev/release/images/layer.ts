import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { findProgram, keptBuild } from "@weir/toolchain";
import type { Tree } from "./tree/entry.ts";
import { writeTar } from "./tree/tar.ts";

/** A layer of an image, as a file. */
export interface Layer {
  readonly path: string;
  /** Of the file, which is compressed: "sha256:" and hex. */
  readonly digest: string;
  /** Of the archive in it. */
  readonly diffId: string;
  /** Of the file, in bytes. */
  readonly size: number;
  /** What made it, for the history of the image. */
  readonly createdBy: string;
}

/** A layer that stays the same as long as its sources do. */
export interface KeptLayer {
  /** What it's called in the cache, e.g. "base-amd64". */
  readonly name: string;
  readonly createdBy: string;
  /** All that it's made from, in any form. */
  readonly sources: readonly string[];
  readonly tree: () => Promise<Tree>;
  readonly signal: AbortSignal;
}

/** The layer from the cache, or else made now. */
export async function keptLayer({ name, createdBy, sources, tree, signal }: KeptLayer): Promise<Layer> {
  const hash = createHash("sha256")
    .update(JSON.stringify([name, createdBy, ...sources]))
    .digest("hex");
  const folder = await keptBuild({
    name: `image-layer-${name}`,
    hash: hash.slice(0, 16),
    fill: async (unfinished) => {
      const made = await makeLayer({ tree: await tree(), folder: unfinished, createdBy, signal });
      await writeFile(join(unfinished, "layer.json"), JSON.stringify(made));
    },
    signal,
  });
  const made = JSON.parse(await readFile(join(folder, "layer.json"), "utf8")) as Layer;
  return { ...made, path: join(folder, "layer.tar.gz") };
}

/** Writes a layer into a folder. The same tree gives the same bytes on every machine: gzip is the one of GNU. */
export async function makeLayer(options: {
  readonly tree: Tree;
  readonly folder: string;
  readonly createdBy: string;
  readonly signal: AbortSignal;
}): Promise<Layer> {
  const { tree, folder, createdBy, signal } = options;
  await mkdir(folder, { recursive: true });
  const path = join(folder, "layer.tar.gz");
  const gzip = spawn(findProgram("gzip") ?? "gzip", ["--no-name", "-6"], {
    stdio: ["pipe", "pipe", "inherit"],
    signal,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    gzip.once("error", reject).once("close", resolve);
  });
  const [plain, compressed] = [meter(), meter()];
  const [, , exit] = await Promise.all([
    pipeline(writeTar(tree), plain.stream, gzip.stdin, { signal }),
    pipeline(gzip.stdout, compressed.stream, createWriteStream(path), { signal }),
    ended,
  ]);
  if (exit !== 0) {
    throw new Error(`gzip ended with ${String(exit)}`);
  }
  return { path, digest: compressed.digest(), diffId: plain.digest(), size: compressed.size(), createdBy };
}

/** Counts and sums up what flows through it. */
function meter(): {
  readonly stream: PassThrough;
  readonly digest: () => string;
  readonly size: () => number;
} {
  const hash = createHash("sha256");
  let size = 0;
  const stream = new PassThrough();
  stream.on("data", (chunk: Buffer) => {
    hash.update(chunk);
    size += chunk.length;
  });
  return { stream, digest: () => `sha256:${hash.digest("hex")}`, size: () => size };
}
