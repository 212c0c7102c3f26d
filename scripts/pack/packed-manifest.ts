/** The fields of a package.json that packing reads. */
export interface PackageManifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
  /** What is packed beside the code. */
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** The folder of the compiled code in a packed package. */
export const compiledFolder = "lib";

/**
 * The package.json to publish: in the sources, `exports` point to TypeScript files, which run without a
 * build; in the package, they point to JavaScript files and their types. All our packages have the same version, and
 * depend on each other in that version.
 */
export function packedManifest(manifest: PackageManifest, version: string): object {
  const { files = [], dependencies = {} } = manifest;
  const doors = Object.entries(manifest.exports).map(([door, source]) => [door, compiledDoor(source)]);
  const exports = Object.fromEntries(doors) as object;
  const exact = Object.entries(dependencies).map(([name, range]) => [
    name,
    name.startsWith("@weir/") ? version : range,
  ]);
  return {
    ...manifest,
    version,
    private: false,
    exports,
    files: [compiledFolder, ...files],
    dependencies: Object.fromEntries(exact) as object,
  };
}

function compiledDoor(source: string): { readonly types: string; readonly default: string } {
  const path = source.replace("./src/", `./${compiledFolder}/`).replace(/\.ts$/, "");
  return { types: `${path}.d.ts`, default: `${path}.js` };
}
