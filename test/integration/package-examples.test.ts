import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

describe("the example in the README of", () => {
  const readmes = globSync("packages/*/README.md", { cwd: root }).toSorted();
  for (const readme of readmes) {
    it(`${readme.split("/")[1] ?? ""} prints what it says`, async () => {
      const page = readFileSync(join(root, readme), "utf8");
      const [, program, printed] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(page) ?? [];
      assert.ok(program !== undefined, "there is no example");

      const args = ["--input-type=module-typescript", "--eval", program];
      const { stdout } = await run(process.execPath, args, { cwd: join(root, readme, "..") });

      assert.equal(stdout, printed);
    });
  }

  it("each package is there", () => {
    assert.equal(readmes.length, globSync("packages/*/package.json", { cwd: root }).length);
  });
});
