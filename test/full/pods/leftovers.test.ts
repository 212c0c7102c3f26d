import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { lacksPods, StartedProgram, until } from "@weir/testing";

const program = `
  import { startPodCluster } from "@weir/testing";
  const cluster = await startPodCluster();
  console.log(cluster.folder);
`;

describe("a pod cluster", { skip: lacksPods() }, () => {
  it("leaves no process, mount, or file behind when the one that started it is killed", async () => {
    await using owner = new StartedProgram(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: join(import.meta.dirname, "../../.."),
      env: { ...process.env, WEIR_TEST_KEEP_PODS: "" },
    });
    const folder = await owner.until("its folder", () => /^(.*)\n/.exec(owner.stdout)?.[1]);
    assert.ok(processesOf(folder).length > 4);

    // What it has started keeps its output open, so all of that never arrives.
    await owner[Symbol.asyncDispose]();

    await until("the end of the cluster", () => !existsSync(folder) && processesOf(folder).length === 0);
    assert.ok(!readFileSync("/proc/mounts", "utf8").includes(folder));
  });
});

/** The processes that were told of a folder when they were started. */
function processesOf(folder: string): readonly string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && commandLine(name).includes(folder));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(join("/proc", pid, "cmdline"), "utf8");
  } catch {
    return "";
  }
}
