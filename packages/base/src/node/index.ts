/** The parts that need Node and the machine: processes, folders, and profiles. */
export { ExecError, exec } from "./exec.ts";
export { isInside } from "./inside.ts";
export { type GroupEnd, type GroupResult, runInGroup } from "./process-group.ts";
export { ProcessTree } from "./process-tree.ts";
export { Profiler } from "./profiler.ts";
export { removeFolder } from "./remove-folder.ts";
export { Tail } from "./tail.ts";
