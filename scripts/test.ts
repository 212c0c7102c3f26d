/**
 * `npm test`, `npm run test:full`, and `npm run test:release`: a level of tests (scripts/test/levels.ts), or those of its
 * parts that are named, as in `npm test -- unit parity`. `ci` runs the first two, and of the third what a change touches.
 */
import { join } from "node:path";
import { mapBounded } from "@weir/base";
import { cleanTree, notePassed, remembered } from "./passed-checks.ts";
import { changeOf, notePassedCommit } from "./test/landed.ts";
import { type Level, levels, made, type Part } from "./test/levels.ts";
import { announce, describeRunning, overBudget, table } from "./test/report.ts";
import { hasFiles, type PartResult, RunningPart } from "./test/run-part.ts";
import { installLine, installMissingTools } from "./test/tools.ts";

const root = join(import.meta.dirname, "..");

/** What is to run: a level, and which of its parts. */
interface Plan {
  readonly level: Level;
  readonly parts: readonly Part[];
}

/** What the parts are run on, if it's a commit. */
const tree = cleanTree(root);

async function main(args: readonly string[]): Promise<number> {
  const plans = args[0] === "ci" ? plansOfCi() : planOf(args);
  if (plans === undefined) {
    return 2;
  }
  installMissingTools(plans.map(({ level }) => level.name));
  const results: PartResult[] = [];
  const problems: string[] = [];
  for (const { level, parts } of plans) {
    console.log(
      announce(
        level,
        parts.map(({ name }) => name),
      ),
    );
    const ended = await runParts(level, parts);
    results.push(...ended);
    problems.push(...overBudget(level, ended));
  }
  return conclude(plans, results, problems);
}

function planOf(args: readonly string[]): readonly Plan[] | undefined {
  const [first = "fast", ...rest] = args;
  const level = Object.values(levels).find(({ name }) => name === first) ?? levels.fast;
  const names = level.name === first ? rest : args;
  const named = level.parts.filter(({ name }) => names.length === 0 || names.includes(name));
  const unknown = names.filter((name) => !named.some((part) => part.name === name));
  if (unknown.length > 0) {
    const known = level.parts.map(({ name }) => name).join(" ");
    console.error(`${level.command}: unknown part: ${unknown.join(", ")}; the parts are ${known}`);
    return undefined;
  }
  return [{ level, parts: withMade(level, named) }];
}

/** Named tests that run programs need these built. */
function withMade(level: Level, named: readonly Part[]): readonly Part[] {
  const runsPrograms = named.some((part) => part.kind === "tests" && part.sourcesOnly !== true);
  return level.parts.filter((part) => named.includes(part) || (runsPrograms && made.includes(part.name)));
}

function plansOfCi(): readonly Plan[] {
  const { fast, full, release } = levels;
  const usual = [fast, full].map((level) => ({ level, parts: level.parts }));
  const touched = touchedParts(release);
  return touched.length === 0 ? usual : [...usual, { level: release, parts: withMade(release, touched) }];
}

/** Where nothing says what had landed before, nothing of a release is tested, which is said. */
function touchedParts({ command, parts }: Level): readonly Part[] {
  const change = changeOf(root);
  const covering = parts.filter((part) => part.kind === "tests");
  const touched = covering.filter(({ covers = [] }) =>
    covers.some((start) => change?.paths.some((path) => path.startsWith(start)) === true),
  );
  const names = (some: readonly Part[]): string => some.map(({ name }) => name).join(", ") || "nothing";
  const since =
    change === undefined
      ? "no earlier commit is known to compare with, so run it yourself before a release"
      : `since ${change.since.slice(0, 12)}, ${change.paths.length} files differ`;
  const others = covering.filter((part) => !touched.includes(part));
  console.log(`${command}: ${since}; runs ${names(touched)}, and doesn't run ${names(others)}`);
  return touched;
}

/** Checks before the first tests run alone, as these need what they make. */
async function runParts(level: Level, parts: readonly Part[]): Promise<readonly PartResult[]> {
  const started = Date.now();
  const running = new Set<RunningPart>();
  const ticker = setInterval(() => showLine(describeRunning(running, started)), 1000);
  const runOne = async (part: Part): Promise<PartResult> => {
    const current = new RunningPart(part);
    running.add(current);
    const result = await current.result;
    running.delete(current);
    say(describe(result));
    return result;
  };
  const isMade = ({ name }: Part): boolean => made.includes(name);
  try {
    const first = await mapBounded(parts.filter(isMade), 1, runOne);
    const others = parts.filter((part) => !isMade(part) && (part.kind === "check" || hasFiles(part)));
    return [...first, ...(await mapBounded(others, level.atOnce, runOne))];
  } finally {
    clearInterval(ticker);
  }
}

function describe({ name, failures, wall, processor }: PartResult): string {
  const verdict = failures.length === 0 ? "ok" : "FAILED";
  return [
    ...failures,
    `${name}: ${verdict} (${wall.toFixed(1)} s, ${processor.toFixed(1)} s of processor time)`,
  ].join("\n");
}

/** At a terminal, the last line is what runs now; each other one goes above it. */
function showLine(text: string): void {
  if (process.stdout.isTTY) {
    process.stdout.write(`\r\x1b[K${text.slice(0, process.stdout.columns - 1)}`);
  }
}

function say(text: string): void {
  showLine("");
  console.log(text);
}

async function conclude(
  plans: readonly Plan[],
  results: readonly PartResult[],
  problems: readonly string[],
): Promise<number> {
  const skipped = results.flatMap((result) => result.skipped);
  for (const { name, file, reason } of skipped) {
    console.log(`skipped: ${name} (${file.replace(`${root}/`, "")}): ${reason}`);
  }
  const missing = skipped.length === 0 ? undefined : installLine(plans.map(({ level }) => level.name));
  if (missing !== undefined) {
    console.log(`to run what was skipped: ${missing}`);
  }
  for (const problem of problems) {
    console.log(`over budget: ${problem}`);
  }
  const isCi = process.env["CI"] === "true";
  if (isCi && skipped.length > 0) {
    console.log(`with CI=true, skipped tests count as failed: ${skipped.length}`);
  }
  const passed = sum(results.map((result) => result.passed));
  const failed = sum(results.map(({ failures }) => failures.length)) + problems.length;
  const failures = failed + (isCi ? skipped.length : 0);
  await remember(plans, results, failures);
  console.log(table(results));
  console.log(`${passed} passed, ${failures} failed`);
  return failures === 0 ? 0 : 1;
}

async function remember(
  plans: readonly Plan[],
  results: readonly PartResult[],
  failures: number,
): Promise<void> {
  if (tree === undefined || tree !== cleanTree(root)) {
    return;
  }
  for (const { name } of results.filter(
    (result) => result.failures.length === 0 && remembered.has(result.name),
  )) {
    await notePassed(name, tree);
  }
  if (failures === 0 && plans.length > 1) {
    notePassedCommit(root);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

process.exitCode = await main(process.argv.slice(2));
