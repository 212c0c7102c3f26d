import { readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as rest } from "node:timers/promises";

/** The first build of a control plane downloads and compiles all of Kubernetes. */
const patienceMs = 1_800_000;
const restMs = 200;

/**
 * Does the work while no other process holds the lock, a file that names its holder. A lock whose holder has died
 * counts for nothing. Throws if the lock isn't free within half an hour, or when the signal aborts.
 */
export async function underLock(
  path: string,
  work: () => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await takeLock(path))) {
    if (Date.now() > end) {
      throw new Error(`another process still holds ${path}: end it, or remove that file`);
    }
    await rest(restMs, undefined, signal === undefined ? {} : { signal });
  }
  try {
    await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function takeLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    const holder = Number(await readFile(path, "utf8").catch(() => ""));
    if (holder > 0 && !isAlive(holder)) {
      await rm(path, { force: true });
    }
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
