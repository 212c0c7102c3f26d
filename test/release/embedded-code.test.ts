import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { TempFolder } from "@weir/testing";
import { recordCode } from "../../dev/release/binaries/embedded-code.ts";

const scripts = {
  "fluxctl.cjs": `require("./chunk.cjs").say(process.argv[2]);`,
  "chunk.cjs": `class Lines { #lines = []; add(line) { this.#lines.push(line); return this; } }
    exports.say = (flag) => console.log(new Lines().add(flag));
    exports.fail = () => { throw new Error(__filename); };`,
};

/** Writes a program into a folder; resolves to what V8 has compiled of it, by the names of the scripts. */
async function recordedIn(path: string): Promise<Readonly<Record<string, string>>> {
  using folder = new TempFolder();
  for (const [name, text] of Object.entries(scripts)) {
    folder.write(join(path, name), text);
  }
  const names = Object.keys(scripts);
  const bundles = { folder: join(folder.path, path), scripts: names, files: names };
  const recording = { program: "fluxctl", bundles, node: process.execPath, folder: folder.path } as const;
  const code = await recordCode(recording, new AbortController().signal);
  return Object.fromEntries([...code].map(([name, file]) => [name, readFileSync(file, "hex")]));
}

it("code that is compiled in advance doesn't depend on the folder that it's compiled in", async () => {
  const near = await recordedIn("lib");
  const far = await recordedIn("a/longer/path/lib");

  assert.deepEqual(Object.keys(near), Object.keys(scripts));
  assert.deepEqual(far, near);
});
