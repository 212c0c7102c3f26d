import { readdir, readFile } from "node:fs/promises";

/**
 * This user's processes that were started with `marker` ("NAME=value") in their environment. With a unique marker,
 * these are all descendants of one process, at any depth and whoever their parent is by now. None if there's no /proc.
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
