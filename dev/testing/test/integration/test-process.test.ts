import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { StartedProgram } from "../../src/started-program.ts";
import { TempFolder } from "../../src/temp-folder.ts";
import { until } from "../../src/until.ts";

const preload = new URL("../../src/test-process.ts", import.meta.url).href;

/** Runs a file of tests as `npm test` does, but with less patience. */
function runTests(file: string, ...options: readonly string[]): StartedProgram {
  return new StartedProgram(
    process.execPath,
    [`--import=${preload}`, "--test", "--test-reporter=tap", ...options, file],
    {
      // Without the variable by which this process is a part of another test run.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, WEIR_TEST_LONGEST_REST: "100" },
    },
  );
}

describe("a file of tests that doesn't end by itself", () => {
  it("fails after a while, and takes along what it has started", async () => {
    using folder = new TempFolder();
    const file = folder.write(
      "forgetful.test.mjs",
      `import { spawn } from "node:child_process";
       import { test } from "node:test";
       test("passes", () => console.log("child " + spawn("sleep", ["1000"]).pid));`,
    );
    await using run = runTests(file);

    const { code } = await run.ended();

    assert.equal(code, 1);
    assert.match(run.stdout, /# pass 1\n/);
    assert.match(
      run.stdout,
      /the tests ended 0.1 s ago, but something keeps the process running: .*ProcessWrap/,
    );
    const child = Number(/child (\d+)/.exec(run.stdout)?.[1]);
    await until("the end of the child", () => !isRunning(child));
  });

  it("passes if it only takes its time", async () => {
    using folder = new TempFolder();
    const file = folder.write(
      "slow.test.mjs",
      `import { test } from "node:test";
       test("passes", () => new Promise((resolve) => setTimeout(resolve, 300)));`,
    );
    await using run = runTests(file);

    assert.deepEqual(await run.ended(), { code: 0, signal: null }, run.output);
  });
});

describe("a worker in a file of tests", () => {
  it("leaves the report of the tests alone", async () => {
    using folder = new TempFolder();
    const worker = JSON.stringify(folder.write("worker.mjs", "setTimeout(() => undefined, 200);"));
    const file = folder.write(
      "working.test.mjs",
      `import { test } from "node:test";
       import { Worker } from "node:worker_threads";
       test("first", () => {});
       test("second", () => new Promise((resolve) => new Worker(${worker}).once("exit", resolve)));`,
    );
    const report = join(folder.path, "report");
    await using run = runTests(file, "--test-isolation=none", `--test-reporter-destination=${report}`);

    assert.deepEqual(await run.ended(), { code: 0, signal: null }, run.output);
    assert.match(readFileSync(report, "utf8"), /^TAP version 13\n[^]*ok 1 - first\n[^]*ok 2 - second\n/);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
