/** Runs one part, and counts its tests and the processor time that it and its programs take. */
import { spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childrenTime, type FileTime } from "@weir/testing";
import type { TestOutcome } from "../../test/support/count-reporter.ts";
import type { Part, TestFiles } from "./levels.ts";

const root = join(import.meta.dirname, "..", "..");

/** Where Node.js keeps what it compiled: each test file is a process, which would compile all again. */
const compiled = join(root, "node_modules", ".cache", "weir-compiled");

/** What became of a part. */
export interface PartResult {
  readonly name: string;
  readonly passed: number;
  /** What failed, with why. */
  readonly failures: readonly string[];
  readonly skipped: readonly TestOutcome[];
  /** In seconds. */
  readonly wall: number;
  /** Of its process and all that it started and waited for, in seconds. */
  readonly processor: number;
  readonly files: readonly FileTime[];
}

/** How far a part is; files that run now count as begun. */
export interface Progress {
  readonly tests: number;
  readonly files: number;
  readonly allFiles: number;
  /** The file of the test that ended last. */
  readonly last: string;
}

/** A part that runs. */
export class RunningPart {
  readonly name: string;
  readonly result: Promise<PartResult>;
  readonly #folder = mkdtempSync(join(tmpdir(), "weir-test-"));
  readonly #files: readonly string[];

  constructor(part: Part) {
    this.name = part.name;
    this.#files = part.kind === "tests" ? filesOf(part) : [];
    this.result = this.#run(part).finally(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  get progress(): Progress | undefined {
    if (this.#files.length === 0) {
      return undefined;
    }
    const outcomes = this.#outcomes();
    return {
      tests: outcomes.length,
      files: new Set(outcomes.map(({ file }) => file)).size,
      allFiles: this.#files.length,
      last: (outcomes.at(-1)?.file ?? "").replace(`${root}/`, ""),
    };
  }

  async #run(part: Part): Promise<PartResult> {
    const started = Date.now();
    const command = part.kind === "check" ? part.command : this.#testCommand(part);
    const env = part.kind === "tests" ? part.env : {};
    const { code, output, processor } = await run(command, {
      ...env,
      WEIR_TEST_TIMES: join(this.#folder, "times"),
    });
    const outcomes = this.#outcomes();
    const failures = outcomes.filter(({ outcome }) => outcome === "failed").map(describeFailure);
    const passed = outcomes.filter(({ outcome }) => outcome === "passed").length;
    const failed = code !== 0 && failures.length === 0;
    return {
      name: part.name,
      passed: part.kind === "check" && code === 0 ? 1 : passed,
      failures: failed ? [`${part.name}: ${command.join(" ").slice(0, 200)}\n${output}`] : failures,
      skipped: outcomes.filter(({ outcome }) => outcome === "skipped"),
      wall: (Date.now() - started) / 1000,
      processor,
      files: readLines(join(this.#folder, "times")) as readonly FileTime[],
    };
  }

  #outcomes(): readonly TestOutcome[] {
    return readLines(join(this.#folder, "counts")) as readonly TestOutcome[];
  }

  #testCommand({ options = [] }: TestFiles): readonly [string, ...string[]] {
    return [
      process.execPath,
      ...["--import=@weir/testing/test-process", "--test", "--test-timeout=600000", ...options],
      ...["--test-reporter=./test/support/count-reporter.ts"],
      `--test-reporter-destination=${join(this.#folder, "counts")}`,
      ...this.#files,
    ];
  }
}

/** False if there's nothing to run: without names of files, Node.js would run all that it finds. */
export function hasFiles(part: TestFiles): boolean {
  return filesOf(part).length > 0;
}

function filesOf({ files, containing }: TestFiles): readonly string[] {
  return globSync(files, { cwd: root, exclude: (name) => name.includes("node_modules") })
    .filter((file) => containing?.test(readFileSync(join(root, file), "utf8")) !== false)
    .toSorted();
}

/** What longest is printed of why a test failed, in characters. */
const longestReason = 4000;

function describeFailure({ file, name, reason }: TestOutcome): string {
  return `${file.replace(`${root}/`, "")}: ${name}\n${reason.slice(0, longestReason)}`;
}

/** The processor time of the parts that have ended. */
let counted = 0;

interface Run {
  readonly code: number;
  readonly output: string;
  readonly processor: number;
}

function run(
  [program, ...args]: readonly [string, ...string[]],
  settings: Readonly<Record<string, string>>,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const path = `${join(root, "node_modules", ".bin")}:${process.env["PATH"] ?? ""}`;
    const env = { NODE_COMPILE_CACHE: compiled, ...process.env, ...settings, PATH: path, FORCE_COLOR: "0" };
    const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let processor = 0;
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    child.on("exit", () => {
      // The kernel adds up the time of processes as they end: what is new since the last one is this one's.
      const all = childrenTime();
      processor = all - counted;
      counted = all;
    });
    child.on("close", (code) => resolve({ code: code ?? 1, output, processor }));
  });
}

function readLines(file: string): readonly unknown[] {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  // The last one may not be complete yet.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as unknown);
}
