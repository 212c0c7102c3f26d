import { readFileSync } from "node:fs";
import { until } from "./until.ts";

/** Resolves when a process has ended; it may still be listed until its parent has read its exit status. */
export async function processEnd(pid: number): Promise<void> {
  await until(`the end of process ${pid}`, () => {
    try {
      return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
    } catch {
      return true;
    }
  });
}
