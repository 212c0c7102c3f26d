import { isAbsolute, join } from "node:path";
import type { OnResolveArgs, OnResolveResult, Plugin } from "esbuild";

/** A chunk, and our files in it. */
export interface ScannedChunk {
  readonly name: string;
  /** Absolute paths. */
  readonly files: readonly string[];
}

/** A file that several chunks need: one chunk contains it and exports it to the others under `key`. */
export interface SharedModule {
  readonly owner: string;
  readonly key: string;
}

/** Shared modules by their absolute paths. */
export type SharedModules = ReadonlyMap<string, SharedModule>;

/** How to share files between chunks. */
export interface SharingRules {
  /** The chunk, which may contain nothing else, for a file that these chunks need, but not the program itself. */
  readonly restOf: (users: readonly string[]) => string;
  readonly isShared: (file: string) => boolean;
}

/**
 * Assigns each shared file to a single chunk. A file is shared if `isShared` is true and more than one chunk
 * needs it. The program itself, the first chunk, contains what it needs.
 */
export function shareModules(
  chunks: readonly ScannedChunk[],
  { restOf, isShared }: SharingRules,
): SharedModules {
  const users = new Map<string, string[]>();
  for (const { name, files } of chunks) {
    files.forEach((file) => users.set(file, [...(users.get(file) ?? []), name]));
  }
  const program = chunks[0]?.name ?? "";
  // Sorted, because esbuild lists files in the order in which it happened to read them.
  const shared = [...users]
    .filter(([file, names]) => names.length > 1 && isShared(file))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    shared.map(([file, names], index) => {
      const owner = names.includes(program) ? program : restOf(names);
      return [file, { owner, key: `shared${index}` }] as const;
    }),
  );
}

/**
 * True for source text that a program must not have twice: it defines a class or a symbol, and of two copies, neither
 * would recognize the objects of the other; or it keeps state, which the other copy wouldn't know.
 */
export function mustBeSingle(text: string): boolean {
  return (
    makesIdentity.some((pattern) => pattern.test(text)) || keepsState.some((pattern) => pattern.test(text))
  );
}

const makesIdentity = [/^\s*(export )?(default )?(abstract )?class \w/m, /=\s*(class|Symbol)\b/];

/** Variables of the module, and what is empty at first. */
const keepsState = [/^(export )?let \w/m, /^(export )?const \w+[^=\n]*=\s*new \w+(<[^>\n]*>)?\(\)/m];

/**
 * The source of a chunk's entry: exports its shared modules, then imports its own `entry`, if it has one. A shared
 * module runs when it's first used, so that a program doesn't wait for modules that only other chunks need.
 */
export function entrySource(name: string, shared: SharedModules, entry?: string): string {
  const held = [...shared].filter(([, { owner }]) => owner === name);
  const getters = held.map(([file, { key }]) => `get ${key}() { return require(${JSON.stringify(file)}); },`);
  return [
    `module.exports = { ${getters.join(" ")} };`,
    ...(entry === undefined ? [] : [`require(${JSON.stringify(entry)});`]),
  ].join("\n");
}

const namespace = "shared-module";
/** No module of ours does anything when it's loaded, so a chunk needn't load what it only passes on. */
const unlessUnused = { namespace, sideEffects: false };

/** Makes chunk `name` import shared modules from the chunks that contain them. */
export function sharedModulesPlugin(name: string, shared: SharedModules): Plugin {
  const elsewhere = (args: OnResolveArgs): SharedModule | undefined => {
    const file = isAbsolute(args.path) ? args.path : join(args.resolveDir, args.path);
    const found = /^[./]/.test(args.path) ? shared.get(file) : undefined;
    return found?.owner === name ? undefined : found;
  };
  return {
    name: "shared-modules",
    setup(build) {
      build.onResolve({ filter: /.*/, namespace }, ({ path }) => ({ path, external: true }));
      build.onResolve({ filter: /\.ts$/ }, (args): OnResolveResult | undefined => {
        const found = elsewhere(args);
        return found && { ...unlessUnused, path: `${found.owner}/${found.key}`, pluginData: found };
      });
      build.onLoad({ filter: /.*/, namespace }, ({ pluginData }) => {
        const { owner, key } = pluginData as SharedModule;
        return { contents: `module.exports = require("./${owner}.cjs").${key};`, loader: "js" };
      });
    },
  };
}
