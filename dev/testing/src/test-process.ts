/**
 * What each process with tests loads first: the settings of property tests, and an end for files that don't end by
 * themselves. A test that fails may leave a program, a server or a connection behind, and Node.js would wait for it
 * forever, and with it the whole run.
 */
import { readFileSync } from "node:fs";
import { after } from "node:test";
import { isMainThread } from "node:worker_threads";
import { noteTimes } from "./processor-time.ts";
import "./property.ts";

/** How long what tests have left behind may go on after the last one, in milliseconds. */
const longestRest = Number(process.env["WEIR_TEST_LONGEST_REST"] ?? 120_000);

// A worker, or a program that a test forks, inherits the options: with a hook, it would report as if it ran tests.
const isFile = /\.test\.m?[jt]s$/.test(process.argv[1] ?? "");
if (isFile) {
  after(() => {
    setTimeout(endWithError, longestRest).unref();
  });
}

const noted = process.env["WEIR_TEST_TIMES"];
const runsFiles = process.execArgv.includes("--test-isolation=none") && isMainThread;
if (noted !== undefined && (isFile || runsFiles)) {
  noteTimes(noted);
}

/** Fails the file, and ends the programs that it has started. */
function endWithError(): never {
  const resources = process.getActiveResourcesInfo().join(", ");
  console.error(
    `the tests ended ${longestRest / 1000} s ago, but something keeps the process running: ${resources}`,
  );
  for (const pid of children()) {
    // It gets the chance to clean up.
    process.kill(pid, "SIGTERM");
  }
  process.exit(1);
}

function children(): readonly number[] {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8");
  return pids.split(" ").filter(Boolean).map(Number);
}
