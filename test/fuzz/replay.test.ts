import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { type Counterexample, readCounterexample } from "@weir/testing";
import type { TestOutcome } from "../support/count-reporter.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = join(import.meta.dirname, "counterexamples");

describe("a counterexample that npm run fuzz found is none any more:", () => {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
    const counterexample = readCounterexample(join(folder, name));

    it(`${counterexample.test} (${name})`, async () => {
      const { outcomes, output } = await run(counterexample, join(folder, name));

      assert.deepEqual(outcomes, ["passed"], output);
    });
  }
});

interface Run {
  /** What became of the test; nothing where none has that name any more. */
  readonly outcomes: readonly string[];
  readonly output: string;
}

async function run({ file, test, ...found }: Counterexample, path: string): Promise<Run> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [
      ...["--import=@weir/testing/property", "--test", `--test-name-pattern=${patternOf(test)}`],
      ...["--test-reporter=spec", "--test-reporter-destination=stderr"],
      ...["--test-reporter=./test/support/count-reporter.ts", "--test-reporter-destination=stdout", file],
    ],
    { cwd: root, env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...way(found, path) } },
  ).catch((error: unknown) => error as { readonly stdout: string; readonly stderr: string });
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  const tests = lines.map((line) => JSON.parse(line) as TestOutcome);
  return { outcomes: tests.map(({ outcome }) => outcome), output: stderr };
}

/** Without values it is the seed that leads to them. */
function way({ values, seed, runs }: Omit<Counterexample, "file" | "test">, path: string): NodeJS.ProcessEnv {
  return values === undefined
    ? { WEIR_FUZZ_SEED: String(seed), WEIR_FUZZ_RUNS: runs }
    : { WEIR_FUZZ_REPLAY: path };
}

/** The runner joins the names of suites and test with a space. */
function patternOf(test: string): string {
  return `^${RegExp.escape(test).replaceAll("\\x20\\x3e\\x20", "(?: >)? ")}$`;
}
