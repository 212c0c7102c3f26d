import { readdir, readFile } from "node:fs/promises";

/** The descendants of a process, as far as all processes in between still exist. None if there's no /proc. */
export async function descendantsOf(pid: number): Promise<readonly number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(await Promise.all(pids.map(async (each) => [each, await parentOf(each)] as const)));
  const found = new Set([pid]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [each, parent] of parents) {
      if (parent !== undefined && found.has(parent)) {
        found.add(each);
      }
    }
  }
  found.delete(pid);
  return [...found];
}

/** Undefined for a process that has ended. The name before the last ")" can contain anything. */
async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  const parent = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
  return parent === undefined ? undefined : Number(parent);
}
