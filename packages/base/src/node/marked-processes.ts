import { readdir, readFile } from "node:fs/promises";

/**
 * The processes of this user that have `marker` ("NAME=value") in the environment that they were started with: all
 * that one process started, however deep they are and whoever is their parent by now. None where there is no /proc.
 */
export async function markedProcesses(marker: string): Promise<readonly number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => ((await isMarked(pid, marker)) ? [Number(pid)] : [])),
  );
  return found.flat();
}

async function isMarked(pid: string, marker: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
  return environment.split("\0").includes(marker);
}
