/** A package.json as far as packing reads it. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** Where the compiled code is, within a packed package. */
export const compiledFolder = "lib";

/**
 * The package.json to publish: what the sources are run by without a build has doors to TypeScript, what is installed
 * has doors to JavaScript and its types.
 */
export function packedManifest(manifest: PackageManifest): object {
  const doors = Object.entries(manifest.exports).map(([door, source]) => [door, compiledDoor(source)]);
  const exports = Object.fromEntries(doors) as object;
  return { ...manifest, private: false, exports, files: [compiledFolder] };
}

function compiledDoor(source: string): { readonly types: string; readonly default: string } {
  const path = source.replace("./src/", `./${compiledFolder}/`).replace(/\.ts$/, "");
  return { types: `${path}.d.ts`, default: `${path}.js` };
}
