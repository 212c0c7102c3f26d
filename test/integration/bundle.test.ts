import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const root = join(import.meta.dirname, "..", "..");
const lib = join(root, "dist", "lib");

/** The chunks of fluxd, weir, and weir-console; all others are fluxctl's, or packages. */
const ofFluxd = ["fluxd.cjs", "listeners.cjs", "weir-embedded-cluster.cjs"];
const ofWeir = ["weir.cjs"];
const ofConsole = ["weir-console.cjs"];

describe("the programs that are built", () => {
  const sources = globSync("{src,cmd,packages/*/src}/**/*.ts", { cwd: root }).map((file) => join(root, file));
  const written = countClasses(sources, /\bclass (\w+Error) /g);
  const chunks = readdirSync(lib).filter((name) => name.endsWith(".cjs"));
  for (const [program, files] of [
    ["fluxd", chunks.filter((name) => ofFluxd.includes(name))],
    ["fluxctl", chunks.filter((name) => ![...ofFluxd, ...ofWeir, ...ofConsole].includes(name))],
    ["weir-console", ofConsole],
  ] as const) {
    it(`have each class of errors once, so that instanceof tells them: ${program}`, () => {
      const paths = files.map((name) => join(lib, name));
      const built = countClasses(paths, /\b(\w+Error)=class\b/g);
      const ours = [...built].filter(([name]) => written.has(name));

      assert.ok(ours.length > 10);
      assert.deepEqual(
        ours.filter(([name, count]) => count > (written.get(name) ?? 0)),
        [],
      );
    });
  }
});

/** How many classes of each name there are. */
function countClasses(files: readonly string[], pattern: RegExp): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) {
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(pattern)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}
