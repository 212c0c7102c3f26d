/** What a run says: what it will do, how far it is, and one table at the end. */
import type { Level } from "./levels.ts";
import type { PartResult, RunningPart } from "./run-part.ts";

/** Says first what will run, and about how long. */
export function announce(
  { command, says, minutes, processorSeconds }: Level,
  names: readonly string[],
): string {
  return `${command}: ${says}; about ${minutes} minutes with two processors, and at most ${processorSeconds} s of their time\n  ${names.join(", ")}`;
}

/** One line on what runs now. */
export function describeRunning(running: Iterable<RunningPart>, started: number): string {
  const parts = [...running].map(({ name, progress }) =>
    progress === undefined
      ? name
      : `${name} ${progress.files}/${progress.allFiles} files, ${progress.tests} tests, ${progress.last}`,
  );
  const seconds = Math.round((Date.now() - started) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}  ${parts.join(" · ")}`;
}

const columns = ["part", "passed", "failed", "skipped", "wall", "processor"];

/** The table of a run. */
export function table(results: readonly PartResult[]): string {
  const rows = results.map(({ name, passed, failures, skipped, wall, processor }) => [
    name,
    ...[passed, failures.length, skipped.length].map(String),
    ...[wall, processor].map((seconds) => `${seconds.toFixed(1)} s`),
  ]);
  const all = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join("  "),
    )
    .join("\n");
}

/** What the level's budget forbids. */
export function overBudget(level: Level, results: readonly PartResult[]): readonly string[] {
  const total = results.reduce((sum, { processor }) => sum + processor, 0);
  const files = results.flatMap((result) => result.files);
  return [
    ...(total > level.processorSeconds
      ? [`the run took ${total.toFixed(0)} s of processor time; its budget is ${level.processorSeconds} s`]
      : []),
    ...files
      .filter(({ processor }) => processor > level.fileSeconds)
      .map(({ file, processor }) => describeSlow(level, file, processor)),
  ];
}

function describeSlow({ name, fileSeconds }: Level, file: string, processor: number): string {
  const remedy = name === "fast" ? "it belongs in full" : "it should be split";
  return `${file} took ${processor.toFixed(1)} s of processor time, more than ${fileSeconds} s: ${remedy}`;
}
