import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import { describeOnEachCluster } from "@weir/testing";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

describeOnEachCluster("docs/engine.md", (cluster) => {
  it("has examples that print what it says", async () => {
    const page = readFileSync(join(root, "docs/engine.md"), "utf8");
    const program = blocks(page, "ts").join("\n");

    const { stdout } = await run(process.execPath, ["--input-type=module-typescript", "--eval", program], {
      cwd: root,
      env: { ...process.env, KUBECONFIG: cluster.kubeconfigPath },
    });

    assert.equal(stdout, blocks(page, "text").join(""));
  });
});

function blocks(page: string, language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(
    ([, code = ""]) => code,
  );
}
