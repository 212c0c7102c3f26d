import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { startEmbeddedCluster } from "@weir/embedded-cluster";
import { TempFolder } from "@weir/testing";

// Examples that need a cluster use that of the kubeconfig.
const cluster = await startEmbeddedCluster();
const folder = new TempFolder();
folder.write("kubeconfig", cluster.kubeconfig);
after(async () => {
  folder[Symbol.dispose]();
  await cluster[Symbol.asyncDispose]();
});

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

describe("the example in the README of", () => {
  // That of @weir/upstream-server serves until it's stopped; the test of examples/console runs it.
  const readmes = globSync("packages/*/README.md", {
    cwd: root,
    exclude: ["packages/upstream-server/**"],
  }).toSorted();
  for (const readme of readmes) {
    it(`${readme.split("/")[1] ?? ""} prints what it says`, async () => {
      const page = readFileSync(join(root, readme), "utf8");
      const [, program, printed] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(page) ?? [];
      assert.ok(program !== undefined, "there is no example");

      const args = ["--input-type=module-typescript", "--eval", program];
      const { stdout } = await run(process.execPath, args, {
        cwd: join(root, readme, ".."),
        env: { ...process.env, KUBECONFIG: join(folder.path, "kubeconfig") },
      });

      assert.equal(stdout, printed);
    });
  }

  it("each package is there", () => {
    assert.equal(readmes.length, globSync("packages/*/package.json", { cwd: root }).length - 1);
  });
});
