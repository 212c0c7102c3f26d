/** The fields of a package.json that packing reads. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  /** What is packed beside the code. */
  readonly files?: readonly string[];
  readonly [field: string]: unknown;
}

/** The folder of the compiled code in a packed package. */
export const compiledFolder = "lib";

/**
 * The package.json to publish: in the sources, `exports` point to TypeScript files, which run without a
 * build; in the package, they point to JavaScript files and their types.
 */
export function packedManifest(manifest: PackageManifest): object {
  const { files = [] } = manifest;
  const doors = Object.entries(manifest.exports).map(([door, source]) => [door, compiledDoor(source)]);
  const exports = Object.fromEntries(doors) as object;
  return { ...manifest, private: false, exports, files: [compiledFolder, ...files] };
}

function compiledDoor(source: string): { readonly types: string; readonly default: string } {
  const path = source.replace("./src/", `./${compiledFolder}/`).replace(/\.ts$/, "");
  return { types: `${path}.d.ts`, default: `${path}.js` };
}
