/**
 * How much processor time each test file takes, with the programs that it has started and waited for. The process of a
 * file writes it, as a line of JSON, at the end of the file that WEIR_TEST_TIMES names.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterEach } from "node:test";

/** What a test file took. */
export interface FileTime {
  readonly file: string;
  /** In seconds. */
  readonly processor: number;
}

/** Ticks a second in /proc: a constant of Linux's interface, whatever its clock is. */
const ticks = 100;

/** The processor time of all programs that this process has started and waited for, and of theirs, in seconds. */
export function childrenTime(): number {
  // The program's name, in parentheses, may contain spaces; after it, the 14th and 15th fields are cutime and cstime.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / ticks;
}

/** Notes the times of this process's test files. A process with one file also counts what loading it took. */
export function noteTimes(noted: string): void {
  const files = new Map<string, number>();
  let before = 0;
  afterEach((context) => {
    const file = context.filePath ?? process.argv[1] ?? "";
    const now = ownTime();
    files.set(file, (files.get(file) ?? 0) + now - before);
    before = now;
  });
  process.on("exit", () => {
    const [only] = files.size === 1 ? files.keys() : [];
    if (only !== undefined) {
      files.set(only, ownTime());
    }
    const lines = [...files].map(([file, processor]) =>
      JSON.stringify({ file: relative(process.cwd(), file), processor } satisfies FileTime),
    );
    appendFileSync(noted, lines.map((line) => `${line}\n`).join(""));
  });
}

function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenTime();
}
