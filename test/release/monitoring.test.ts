import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { findProgram, lacks, TempFolder } from "@weir/testing";
import { monitoringStep } from "../../dev/release/monitoring/step.ts";
import { releaseContext } from "../support/release-context.ts";

const root = join(import.meta.dirname, "..", "..");
const sourceDate = 1_700_000_000;
const name = "weir-monitoring-1.2.3";

/** Runs the step; the path of what it made. */
async function release(folder: string, signal = new AbortController().signal): Promise<string> {
  const [made = "", ...more] = await monitoringStep(releaseContext(folder, { sourceDate, signal }));
  assert.deepEqual(more, []);
  return made;
}

/** Unpacks it; the folder with the files. */
async function unpacked(folder: TempFolder): Promise<string> {
  execFileSync("tar", ["-xzf", await release(folder.path), "-C", folder.path]);
  return join(folder.path, name);
}

describe("the monitoring files of a release", () => {
  it("are those of the repository, with the time of the commit", async () => {
    using folder = new TempFolder();

    const files = await unpacked(folder);

    const names = readdirSync(join(root, "monitoring")).toSorted();
    assert.deepEqual(readdirSync(files).toSorted(), names);
    for (const each of names) {
      const { mode, mtimeMs } = statSync(join(files, each));
      assert.deepEqual([mode & 0o777, mtimeMs], [0o644, sourceDate * 1000], each);
      assert.deepEqual(readFileSync(join(files, each)), readFileSync(join(root, "monitoring", each)), each);
    }
  });

  it("have the same bytes each time", async () => {
    using first = new TempFolder();
    using second = new TempFolder();

    const made = await release(first.path);
    const again = await release(second.path);

    assert.equal(basename(made), `${name}.tar.gz`);
    assert.ok(readFileSync(again).equals(readFileSync(made)));
  });

  it("work where they are: promtool reads the alerts, and kustomize finds all files", {
    skip: lacks("prometheus") || lacks("kubectl"),
  }, async () => {
    using folder = new TempFolder();
    const cwd = await unpacked(folder);

    execFileSync(findProgram("promtool") ?? "promtool", ["check", "rules", "alerts.yaml"], { cwd });
    const objects = execFileSync(findProgram("kubectl") ?? "kubectl", ["kustomize", cwd], {
      encoding: "utf8",
    });

    assert.match(objects, /^kind: PrometheusRule$/m);
  });

  it("aren't made after the release was stopped", async () => {
    using folder = new TempFolder();

    await assert.rejects(release(folder.path, AbortSignal.abort(new Error("stopped"))));
  });
});
