import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { findProgram, lacks, TempFolder } from "@weir/testing";
import { monitoringStep } from "../../scripts/release/monitoring/step.ts";
import { releaseContext } from "../support/release-context.ts";

const root = join(import.meta.dirname, "..", "..");
const sourceDate = 1_700_000_000;

/** Runs the step; the paths of what it made, from `out`. */
async function release(out: string, signal = new AbortController().signal): Promise<readonly string[]> {
  const made = await monitoringStep(releaseContext(out, { out, work: out, sourceDate, signal }));
  return made.map((path) => path.slice(out.length + 1));
}

describe("the monitoring files of a release", () => {
  it("are those of the repository, with the time of the commit, and it says which", async () => {
    using folder = new TempFolder();

    const made = await release(folder.path);

    const names = readdirSync(join(root, "monitoring")).toSorted();
    assert.deepEqual(
      made,
      names.map((name) => `monitoring/${name}`),
    );
    for (const path of made) {
      const { mode, mtimeMs } = statSync(join(folder.path, path));
      assert.deepEqual([mode & 0o777, mtimeMs], [0o644, sourceDate * 1000], path);
      assert.deepEqual(readFileSync(join(folder.path, path)), readFileSync(join(root, path)), path);
    }
  });

  it("work where they are: promtool reads the alerts, and kustomize finds all files", {
    skip: lacks("prometheus") || lacks("kubectl"),
  }, async () => {
    using folder = new TempFolder();
    await release(folder.path);
    const cwd = join(folder.path, "monitoring");

    execFileSync(findProgram("promtool") ?? "promtool", ["check", "rules", "alerts.yaml"], { cwd });
    const objects = execFileSync(findProgram("kubectl") ?? "kubectl", ["kustomize", cwd], {
      encoding: "utf8",
    });

    assert.match(objects, /^kind: PrometheusRule$/m);
  });

  it("aren't made after the release was stopped", async () => {
    using folder = new TempFolder();
    const reason = new Error("stopped");

    await assert.rejects(async () => release(folder.path, AbortSignal.abort(reason)), reason);
  });
});
