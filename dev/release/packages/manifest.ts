import type { Gathered } from "./gather.ts";
import { placeOf, withoutExtension } from "./gather.ts";
import type { Library } from "./libraries.ts";

/** Dependencies by name, with the ranges of versions that they may have. */
export type Ranges = Readonly<Record<string, string>>;

/** The oldest Node.js that runs all this. */
const engines = { node: ">=24" };

/** What both kinds of packages begin with. */
function head(name: string, version: string, description: string): object {
  return { name, version, description, license: "Apache-2.0" };
}

/**
 * The package.json of a library. It depends on what its code imports, in the versions that `ranges` allows, and on the
 * types that its own types name. Of `peers`, it works without what isn't there. Throws if `ranges` lacks a package.
 */
export function libraryManifest(
  { name, description, doors }: Library,
  version: string,
  {
    gathered,
    ranges,
    peers,
  }: {
    readonly gathered: Pick<Gathered, "imports" | "typeImports">;
    readonly ranges: Ranges;
    readonly peers: Ranges;
  },
): object {
  const types = [...gathered.typeImports].map((each) => `@types/${each}`).filter((each) => each in ranges);
  const needed = [...new Set([...gathered.imports, ...gathered.typeImports, ...types])].toSorted();
  const brought = needed.filter((each) => each in peers);
  const exports = Object.fromEntries(
    Object.entries(doors).map(([door, source]) => {
      const path = `./${placeOf(withoutExtension(source))}`;
      return [door, { types: `${path}.d.ts`, default: `${path}.js` }];
    }),
  );
  return {
    ...head(name, version, description),
    type: "module",
    engines,
    sideEffects: false,
    exports: { ...exports, "./package.json": "./package.json" },
    dependencies: Object.fromEntries(
      needed.filter((each) => !(each in peers)).map((each) => [each, rangeOf(each, ranges)]),
    ),
    ...(brought.length === 0 ? {} : optionalPeers(brought, peers)),
  };
}

function optionalPeers(names: readonly string[], peers: Ranges): object {
  return {
    peerDependencies: Object.fromEntries(names.map((each) => [each, rangeOf(each, peers)])),
    peerDependenciesMeta: Object.fromEntries(names.map((each) => [each, { optional: true }])),
  };
}

function rangeOf(name: string, ranges: Ranges): string {
  const range = ranges[name];
  if (range === undefined) {
    throw new Error(`${name} is imported, but no package.json says in which version`);
  }
  return range;
}

/** The package.json of the programs; `manPages` are paths in the package. */
export function programsManifest(
  version: string,
  programs: readonly string[],
  manPages: readonly string[],
): object {
  return {
    ...head(
      "weir",
      version,
      "A drop-in for Flux v1 (1.25.4): fluxd and fluxctl on a watch-based GitOps engine",
    ),
    engines,
    bin: Object.fromEntries(programs.map((program) => [program, program])),
    man: manPages.map((page) => `./${page}`),
  };
}
