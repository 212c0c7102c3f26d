import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { filesOfPrograms } from "../../scripts/build/program-files.ts";

const root = join(import.meta.dirname, "..", "..");
const lib = join(root, "dist", "lib");

describe("the programs that are built", () => {
  const sources = globSync("{src,cmd,hub/cmd,hub/src,packages/*/src}/**/*.ts", { cwd: root }).map((file) =>
    join(root, file),
  );
  const written = countClasses(sources, /\bclass (\w+Error) /g);
  for (const program of ["fluxd", "fluxctl", "weir-console"]) {
    it(`have each class of errors once, so that instanceof tells them: ${program}`, () => {
      const bundles = filesOfPrograms([program], lib).filter((name) => /^(?!start-).*\.cjs$/.test(name));
      const paths = bundles.map((name) => join(lib, name));
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

describe("fluxctl", () => {
  it("reads nothing but the program for a command that needs no more", () => {
    const start = join(lib, "start-fluxctl.cjs");
    const script = `process.on("exit", () => console.error(Object.keys(require.cache).join()));
      process.argv.push("version"); require(${JSON.stringify(start)});`;

    const { stderr } = spawnSync(process.execPath, ["--eval", script], { encoding: "utf8" });

    assert.deepEqual(stderr.trim().split(","), [start, join(lib, "fluxctl.cjs")]);
  });
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
