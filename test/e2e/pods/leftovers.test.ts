import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { lacksPods, until } from "@weir/testing";

const program = `
  import { startPodCluster } from "@weir/testing";
  const cluster = await startPodCluster();
  console.log(cluster.folder);
`;

describe("a pod cluster", { skip: lacksPods() }, () => {
  it("leaves no process, mount, or file behind when the one that started it is killed", async () => {
    const owner = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: join(import.meta.dirname, "../../.."),
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, WEIR_TEST_KEEP_PODS: "" },
    });
    const [folder] = (await once(createInterface(owner.stdout), "line")) as [string];
    assert.ok(processesOf(folder).length > 4);

    owner.kill("SIGKILL");

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
