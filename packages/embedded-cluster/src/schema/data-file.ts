import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getRawAsset, isSea } from "node:sea";
import { brotliDecompressSync } from "node:zlib";
import type { DataFiles } from "./api-data-format.ts";

/**
 * Reads a data file: JSON in brotli, in the folder of this module. `scripts/build.ts` copies the files to the folder
 * of the bundles, so the same line finds them there; in a single executable, they are assets.
 */
export function readDataFile<Name extends keyof DataFiles>(name: Name): DataFiles[Name] {
  const file = `${name}.json.br`;
  const packed = isSea() ? new Uint8Array(getRawAsset(file)) : readFileSync(join(import.meta.dirname, file));
  // The files are ours: the script that writes them is typed by the same interfaces.
  return JSON.parse(brotliDecompressSync(packed).toString()) as DataFiles[Name];
}
