import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { TempFolder } from "@weir/testing";
import type { TestOutcome } from "../count-reporter.ts";
import { consoleImageVariable } from "../pods/console-image.ts";
import { imageVariable, rootImageVariable } from "../pods/delivered-image.ts";

const root = join(import.meta.dirname, "../../..");

/** The folders of unpacked images that pods run: as the user that is usual, as root, and the console. */
export interface Bundles {
  readonly usual?: string;
  readonly root?: string;
  readonly console?: string;
}

/** Asserts that tests in pods pass when Weir's images are the unpacked ones, and that none is skipped. */
export async function passesInImage(bundles: Bundles, names: readonly string[]): Promise<void> {
  using folder = new TempFolder();
  const outcomes = join(folder.path, "outcomes.jsonl");
  const files = names.map((name) => join(root, "test", "full", "pods", `${name}.test.ts`));
  const child = spawn(
    process.execPath,
    [
      `--import=${join(root, "dev/testing/src/test-process.ts")}`,
      "--test",
      "--test-concurrency=2",
      `--test-reporter=${join(root, "test/support/count-reporter.ts")}`,
      `--test-reporter-destination=${outcomes}`,
      ...files,
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        NODE_TEST_CONTEXT: undefined,
        [imageVariable]: bundles.usual,
        [rootImageVariable]: bundles.root,
        [consoleImageVariable]: bundles.console,
      },
      stdio: ["ignore", "inherit", "pipe"],
    },
  );
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [complained, exit] = await Promise.all([text(child.stderr), ended]);
  const failure = failureOf(readOutcomes(outcomes), complained);
  assert.ok(exit === 0 && failure === undefined, failure ?? `the tests ended with ${exit}: ${complained}`);
}

function readOutcomes(path: string): readonly TestOutcome[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as TestOutcome);
}

/** What failed or was skipped, the reasons first, because summaries cut what is long; undefined if nothing. */
export function failureOf(outcomes: readonly TestOutcome[], complained: string): string | undefined {
  const bad = outcomes.filter(({ outcome }) => outcome !== "passed");
  if (outcomes.length === 0) {
    return `no test has run: ${complained}`;
  }
  // Tests that only their suite's failure has cancelled say nothing of their own.
  const isCancelled = ({ reason }: TestOutcome): boolean => reason.includes("was cancelled");
  const inOrder = bad.toSorted((a, b) => Number(isCancelled(a)) - Number(isCancelled(b)));
  const printed = inOrder.map(({ outcome, name, file, reason }) => {
    return `${outcome}: ${name} (${file.replace(`${root}/`, "")})\n${reason}`;
  });
  return bad.length === 0 ? undefined : [...printed, `standard error: ${complained}`].join("\n");
}
