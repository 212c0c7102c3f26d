import { existsSync } from "node:fs";

/** A program that does nothing but end with a code. */
const shell = "/bin/sh";

/**
 * Ends the process with this code, without waiting for what still keeps it alive, such as a library's timer.
 *
 * `process.exit` waits for the threads of Node.js, and one that looks up a name can't be interrupted: with a DNS that
 * doesn't answer, that takes many seconds. A process that becomes another program has its threads ended by the kernel.
 */
export function endProcess(code: number): never {
  if (process.getActiveResourcesInfo().includes("GetAddrInfoReqWrap") && existsSync(shell)) {
    process.execve?.(shell, [shell, "-c", `exit ${code}`], {});
  }
  process.exit(code);
}
