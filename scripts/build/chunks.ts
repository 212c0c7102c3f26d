import { basename, join } from "node:path";
import type { OnResolveArgs, OnResolveResult, Plugin } from "esbuild";

/** Something that is loaded only when it is needed, as a file of its own. */
export interface Chunk {
  /** Without a folder and without an ending. */
  readonly name: string;
  /** A file, or the name of a package. */
  readonly entry: string;
}

/**
 * Cuts a program where it imports on demand: a package that is imported so, and a file that `doors` lists,
 * become chunks; anything else stays inside. What makes a class or a symbol is shared by the chunks of a program
 * (`sharedModulesPlugin`); of all other modules each chunk has its own copy.
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
