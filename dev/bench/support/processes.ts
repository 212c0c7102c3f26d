import { readdirSync, readFileSync } from "node:fs";

/** The current memory of a process and its child processes (RSS), in MiB; 0 if it has ended. */
export function treeMemory(pid: number): number {
  const children = childrenByParent();
  let total = 0;
  for (const queue = [pid]; queue.length > 0; ) {
    const next = queue.pop() ?? 0;
    total += currentMemory(next);
    queue.push(...(children.get(next) ?? []).filter((child) => !isCloneOf(child, next)));
  }
  return total;
}

/** Measures the memory of a process tree; `stop` returns the highest total, in MiB. */
export function watchMemory(pid: number): { stop(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, treeMemory(pid));
  }, 25);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(peak, highWaterMark(pid));
    },
  };
}

function childrenByParent(): ReadonlyMap<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = Number(/^\d+ \(.*\) \S+ (\d+)/s.exec(readProc(`/proc/${name}/stat`))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

/**
 * True for a process that is about to execute another program: until then, it shares the memory of its
 * parent.
 */
function isCloneOf(child: number, parent: number): boolean {
  return readProc(`/proc/${child}/cmdline`) === readProc(`/proc/${parent}/cmdline`);
}

function currentMemory(pid: number): number {
  return kibibytes(pid, "VmRSS") / 1024;
}

/** The memory of a single process now, and its peak since it started (RSS), in MiB. */
export function residentMemory(pid: number): { readonly now: number; readonly peak: number } {
  return { now: currentMemory(pid), peak: highWaterMark(pid) };
}

/** The peak memory of a single process since it started (RSS), in MiB. */
export function highWaterMark(pid: number): number {
  return kibibytes(pid, "VmHWM") / 1024;
}

function kibibytes(pid: number, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** A file in /proc; empty if the process has just ended. */
function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
