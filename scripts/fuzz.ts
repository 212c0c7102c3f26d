/**
 * `npm run fuzz`: runs the property tests with a random seed; with `-- --minutes=60`, repeatedly for that
 * many minutes, each time with another seed. Failures are written to test/fuzz/counterexamples, and `npm
 * test` runs them from then on. `npm run fuzz -- test/differential/releases.test.ts` runs only the given
 * files. WEIR_FUZZ_SEED repeats a run; WEIR_FUZZ_RUNS=10 tries ten times as many cases as usual.
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readCounterexample } from "@weir/testing";

const root = join(import.meta.dirname, "..");
const foundFolder = process.env["WEIR_FUZZ_FOUND"] ?? join(root, "test/fuzz/counterexamples");

/** The files with random input, except the tests of this script. */
function filesWithRandomInput(): readonly string[] {
  const files = globSync("{test,packages}/**/*.test.ts", {
    cwd: root,
    exclude: (name) => /node_modules|^test\/fuzz$/.test(name),
  });
  return files
    .filter((file) => /\bfc\.(assert|sample)\(/.test(readFileSync(join(root, file), "utf8")))
    .toSorted();
}

/** One run of all files; false if a test fails. The result of an interrupted run is unknown. */
async function runOnce(files: readonly string[], seed: string, over: AbortSignal): Promise<boolean> {
  const runs = process.env["WEIR_FUZZ_RUNS"] ?? "5";
  console.log(`WEIR_FUZZ_SEED=${seed} WEIR_FUZZ_RUNS=${runs}: ${files.length} files`);
  const env = {
    ...process.env,
    WEIR_FUZZ_SEED: seed,
    WEIR_FUZZ_RUNS: runs,
    WEIR_FUZZ_FOUND: foundFolder,
  };
  const args = ["--import=@weir/testing/property", "--test", "--test-reporter=dot", ...files];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  const stop = (): void => void child.kill();
  over.addEventListener("abort", stop);
  const code = await new Promise((resolve) => child.once("close", resolve));
  over.removeEventListener("abort", stop);
  return code === 0 || over.aborted;
}

function counterexamples(): readonly string[] {
  return existsSync(foundFolder) ? readdirSync(foundFolder).filter((name) => name.endsWith(".json")) : [];
}

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { minutes: { type: "string" } },
    allowPositionals: true,
  });
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (minutes !== undefined && !(minutes > 0)) {
    console.error(`npm run fuzz: --minutes must be a number greater than 0, not ${values.minutes ?? ""}`);
    return 2;
  }
  const over = minutes === undefined ? new AbortController().signal : AbortSignal.timeout(minutes * 60_000);
  const known = new Set(counterexamples());
  const found = (): readonly string[] => counterexamples().filter((name) => !known.has(name));
  let files =
    positionals.length > 0
      ? positionals.map((file) => relative(root, resolve(root, file)))
      : filesWithRandomInput();
  let passes = true;
  do {
    const seed = process.env["WEIR_FUZZ_SEED"] ?? String(randomInt(2 ** 31));
    passes = (await runOnce(files, seed, over)) && passes;
    // A bug is reported once; other bugs in its file have to wait until it's fixed.
    const broken = new Set(found().map((name) => readCounterexample(join(foundFolder, name)).file));
    files = files.filter((file) => !broken.has(file));
  } while (minutes !== undefined && !over.aborted && files.length > 0);
  for (const name of found()) {
    console.log(`counterexample: ${join(foundFolder, name)}`);
  }
  return passes && found().length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
