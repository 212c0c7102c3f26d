import { basename, join } from "node:path";
import type { OnResolveArgs, OnResolveResult, Plugin } from "esbuild";

/** A file that is loaded only on demand. */
export interface Chunk {
  /** Without folder and extension. */
  readonly name: string;
  /** A file, or the name of a package. */
  readonly entry: string;
}

/**
 * Splits a program at its dynamic imports: a package that is imported dynamically, and a file in `doors`,
 * become chunks; everything else is included. Modules that define a class or a symbol are shared by the
 * chunks of a program (`sharedModulesPlugin`); of all other modules, each chunk has its own copy.
 */
export function chunksPlugin(doors: readonly string[], found: (chunk: Chunk) => void): Plugin {
  return {
    name: "chunks",
    setup(build) {
      build.onResolve({ filter: /.*/ }, (args) => {
        const chunk = args.kind === "dynamic-import" ? chunkOf(args, doors) : undefined;
        return chunk && linkTo(chunk, found);
      });
    },
  };
}

function chunkOf({ path, resolveDir }: OnResolveArgs, doors: readonly string[]): Chunk | undefined {
  if (path.startsWith("node:")) {
    return undefined;
  }
  if (!path.startsWith(".")) {
    return { name: path.replaceAll(/[^a-z0-9]+/g, "-").replace(/^-/, ""), entry: path };
  }
  const entry = join(resolveDir, path);
  return doors.includes(entry) ? { name: basename(entry, ".ts"), entry } : undefined;
}

function linkTo(chunk: Chunk, found: (chunk: Chunk) => void): OnResolveResult {
  found(chunk);
  return { path: `./${chunk.name}.cjs`, external: true };
}
