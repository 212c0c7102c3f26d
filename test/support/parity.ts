import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const shipped = join(import.meta.dirname, "..", "fixtures");

/**
 * The lines of a recorded table, e.g. "golden/image-refs.jsonl": from the folder that PARITY_DIR names where
 * it is set (a table it lacks has no lines), else from test/fixtures.
 */
export function readTable(path: string): readonly unknown[] {
  const given = process.env["PARITY_DIR"];
  const file = join(given ?? shipped, path);
  if (given !== undefined && !existsSync(file)) {
    return [];
  }
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
}
