import { isBuiltin } from "node:module";
import { basename, join } from "node:path";
import type { OnResolveArgs, OnResolveResult, Plugin } from "esbuild";

/** A file that is loaded only on demand. */
export interface Chunk {
  /** Without folder and extension. */
  readonly name: string;
  /** A file, or the name of a package. */
  readonly entry: string;
  /** True for an ES module, false for CommonJS. */
  readonly isModule: boolean;
}

/** The files that are loaded only on demand; absolute paths. */
export interface Doors {
  readonly files: readonly string[];
  /** Those of them that must be ES modules, because a package in them waits while it's loaded. */
  readonly modules: readonly string[];
}

/**
 * Splits a program at its dynamic imports: a package that is imported dynamically, and a file in `doors`,
 * become chunks; everything else is included. Modules that define a class or a symbol are shared by the
 * chunks of a program (`sharedModulesPlugin`); of all other modules, each chunk has its own copy.
 */
export function chunksPlugin(doors: Doors, found: (chunk: Chunk) => void): Plugin {
  return {
    name: "chunks",
    setup(build) {
      build.onResolve({ filter: packageOr(doors) }, (args) => {
        const chunk = args.kind === "dynamic-import" ? chunkOf(args, doors) : undefined;
        return chunk && linkTo(chunk, found);
      });
    },
  };
}

/** Matches imports of packages and of the doors: esbuild, in Go, waits for JavaScript at each import that matches. */
function packageOr({ files }: Doors): RegExp {
  const names = files.map((file) => RegExp.escape(basename(file)));
  return new RegExp(["^[^.]", ...names.map((name) => `/${name}$`)].join("|"));
}

function chunkOf({ path, resolveDir }: OnResolveArgs, { files, modules }: Doors): Chunk | undefined {
  if (isBuiltin(path)) {
    return undefined;
  }
  if (!path.startsWith(".")) {
    return { name: path.replaceAll(/[^a-z0-9]+/g, "-").replace(/^-/, ""), entry: path, isModule: false };
  }
  const entry = join(resolveDir, path);
  return files.includes(entry)
    ? { name: basename(entry, ".ts"), entry, isModule: modules.includes(entry) }
    : undefined;
}

function linkTo(chunk: Chunk, found: (chunk: Chunk) => void): OnResolveResult {
  found(chunk);
  return { path: `./${fileOf(chunk)}`, external: true };
}

/** The file that a chunk is in. */
export function fileOf({ name, isModule }: Pick<Chunk, "name" | "isModule">): string {
  return `${name}.${isModule ? "mjs" : "cjs"}`;
}
