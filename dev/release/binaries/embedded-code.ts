import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { nodeOptions } from "../../../scripts/build/node-options.ts";
import { runTool } from "../run-tool.ts";
import type { Bundles } from "./bundles.ts";
import type { Program } from "./platforms.ts";

/**
 * The code contains hashes of strings, whose seed is random otherwise. V8 ignores this flag when it compares the flags
 * that code was compiled with.
 */
const sameHashes = "--random-seed=1";

/** What to compile, and with which Node.js. */
export interface Recording {
  readonly program: Program;
  readonly bundles: Bundles;
  /** The path of the Node.js that goes into the executable. */
  readonly node: string;
  /** Where to put the code. */
  readonly folder: string;
}

/**
 * Lets Node.js run the program once, and keeps the code that V8 has compiled. Only the same Node.js on the same
 * platform, started with the same flags, can use it. Resolves to the paths by the names of the scripts.
 */
export async function recordCode(
  { program, bundles, node, folder }: Recording,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  await mkdir(folder, { recursive: true });
  const recorder = await bundleEmbedded("record", folder, {});
  const args = [recorder, bundles.folder, folder, program, ...bundles.scripts];
  await runTool({ program: node, args: [...nodeOptions[program], sameHashes, ...args] }, signal);
  return new Map(bundles.scripts.map((name) => [name, join(folder, `${name}.code`)]));
}

/** Makes one script of a file in `embedded` and what it imports; resolves to its path. */
export async function bundleEmbedded(
  name: "record" | "run",
  folder: string,
  define: Readonly<Record<string, string>>,
): Promise<string> {
  const outfile = join(folder, `${name}.cjs`);
  await build({
    entryPoints: [join(import.meta.dirname, "embedded", `${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    define: { ...define },
    logLevel: "warning",
  });
  return outfile;
}
