import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version in package.json, which everything else has it from. */
export function packageVersion(): string {
  const path = join(import.meta.dirname, "../../../package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { readonly version: string }).version;
}
