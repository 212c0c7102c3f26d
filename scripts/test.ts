/**
 * `npm test`: builds, then runs all checks, two parts at a time, and prints a summary. `npm test -- unit parity`
 * runs only the named parts. Missing programs are installed if possible (as root on Debian);
 * tests that still can't run are skipped and listed, which with CI=true is a failure.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { mapBounded } from "@weir/base";
import { missingTools } from "@weir/testing";
import type { TestOutcome } from "../test/support/count-reporter.ts";
import { cleanTree, notePassed, remembered } from "./passed-checks.ts";

const root = join(import.meta.dirname, "..");
const bin = join(root, "node_modules", ".bin");

/** A part of the run: a single check, or a set of test files. */
interface Part {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly counts?: "tests";
}

const node = process.execPath;

/** Where Node.js keeps what it compiled: each test file is a process, which would compile all again. */
const compiled = join(root, "node_modules", ".cache", "weir-compiled");

/** The folders with our code. */
const code = ["packages", "src", "cmd", "dev", "test", "scripts", "examples"];

/** Property tests try the same cases in each run, and files that don't end by themselves are ended. */
const prepared = "--import=@weir/testing/test-process";

/** The test files of a part share the control planes of the run. */
const sharedControlPlanes = "--test-global-setup=./dev/testing/src/shared-control-planes.ts";

/**
 * How many files of end-to-end tests run at the same time. They often wait, but many run a cluster with pods: with
 * more of them, a small machine is too slow for the time limits in programs.
 */
const endToEndFiles = Math.max(3, availableParallelism());

/** Other parts use what it makes. */
const build: Part = { name: "build", command: [node, "scripts/build.ts"] };

/**
 * Two run at a time. `e2e` takes about as long as all others together, and leaves the processor idle while it
 * waits: they run next to it, one after the other.
 */
const checks: readonly Part[] = [
  testFiles("e2e", `--test-concurrency=${endToEndFiles}`, sharedControlPlanes),
  { name: "lint", command: ["npm", "run", "--silent", "lint"] },
  { name: "types", command: ["npm", "run", "--silent", "types"] },
  testFiles("unit", "--test-isolation=none"),
  {
    name: "layers",
    command: [join(bin, "depcruise"), "--config", ".dependency-cruiser.cjs", ...code],
  },
  { name: "dead-code", command: [join(bin, "knip")] },
  { name: "format", command: [join(bin, "biome"), "check", "."] },
  { name: "licenses", command: [node, "scripts/licenses.ts"] },
  testFiles("parity", "--test-concurrency=1"),
  testFiles("differential", "--test-concurrency=1"),
  testFiles("fuzz", "--test-concurrency=1"),
  testFiles("release", "--test-concurrency=2", sharedControlPlanes),
  { name: "demo", command: [join(root, "dist", "weir"), "demo", "--once"] },
  testFiles("integration", "--test-concurrency=2", sharedControlPlanes),
];

/** The tests of one type, including those in packages. */
function testFiles(name: string, ...options: readonly string[]): Part {
  const pattern = `{test,packages/*/test,dev/*/test}/${name}/**/*.test.ts`;
  const usual = [prepared, "--test", "--test-timeout=600000"];
  return { name, command: [node, ...usual, ...options, pattern], counts: "tests" };
}

const parts: readonly Part[] = [build, ...checks];

/** The parts that run other programs than Node.js and git. */
const runPrograms: ReadonlySet<string> = new Set(["e2e", "integration", "release"]);

/** Settled when the programs that are built are there, or can't be; begun by the first part that runs them. */
let programsBuilt: Promise<{ code: number; output: string }> | undefined;

/** What the parts are run on, if it's a commit. */
const tree = cleanTree(root);

/** How much is printed of what a test failed with, in characters. */
const longestReason = 4000;

interface Tally {
  passed: number;
  failed: number;
  readonly skipped: TestOutcome[];
}

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    console.error(
      `npm test: unknown part: ${unknown.join(", ")}; the parts are ${parts.map(({ name }) => name).join(" ")}`,
    );
    return 2;
  }
  const chosen = parts.filter(({ name }) => names.length === 0 || names.includes(name));
  if (chosen.some(({ name }) => runPrograms.has(name))) {
    installMissingTools();
  }
  const tallies = chosen.includes(build) ? [await runPart(build)] : [];
  const others = chosen.filter((part) => part !== build);
  tallies.push(...(await mapBounded(others, 2, runPart)));
  return conclude(tallies);
}

async function runPart(part: Part): Promise<Tally> {
  if (runPrograms.has(part.name)) {
    programsBuilt ??= run([node, "scripts/test-programs.ts"]);
    const { code, output } = await programsBuilt;
    if (code !== 0) {
      console.log(`the programs that ${part.name} needs can't be built: ${output}`);
    }
  }
  const started = Date.now();
  const tally: Tally = { passed: 0, failed: 0, skipped: [] };
  await (part.counts === "tests" ? runTests(part, tally) : runCheck(part, tally));
  const verdict = tally.failed > 0 ? "FAILED" : "ok";
  if (tally.failed === 0 && remembered.has(part.name) && tree === cleanTree(root)) {
    await notePassed(part.name, tree);
  }
  console.log(`${part.name}: ${verdict} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return tally;
}

async function runCheck(part: Part, tally: Tally): Promise<void> {
  const { code, output } = await run(part.command);
  if (code === 0) {
    tally.passed += 1;
  } else {
    tally.failed += 1;
    console.log(output);
  }
}

async function runTests(part: Part, tally: Tally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "weir-test-"));
  const counts = join(folder, "counts.jsonl");
  const [program, ...args] = part.command;
  const files = args.pop() ?? "";
  const reporters = [
    "--test-reporter=dot",
    "--test-reporter-destination=stdout",
    "--test-reporter=./test/support/count-reporter.ts",
    `--test-reporter-destination=${counts}`,
  ];
  const { code, output } = await run([program, ...args, ...reporters, files]);
  count(counts, tally);
  if (code !== 0 && tally.failed === 0) {
    tally.failed += 1;
  }
  if (code !== 0) {
    console.log(output);
  }
  rmSync(folder, { recursive: true, force: true });
}

function count(file: string, tally: Tally): void {
  for (const line of readFileSync(file, "utf8")
    .split("\n")
    .filter((text) => text !== "")) {
    const outcome = JSON.parse(line) as TestOutcome;
    if (outcome.outcome === "skipped") {
      tally.skipped.push(outcome);
    } else {
      tally[outcome.outcome] += 1;
    }
    if (outcome.outcome === "failed") {
      console.log(`FAILED ${outcome.file}: ${outcome.name}\n${outcome.reason.slice(0, longestReason)}`);
    }
  }
}

function run([program, ...args]: readonly [string, ...string[]]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const path = `${bin}:${process.env["PATH"] ?? ""}`;
    const env = { NODE_COMPILE_CACHE: compiled, ...process.env, PATH: path, FORCE_COLOR: "0" };
    const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Installs Debian packages if permitted; tests whose programs are still missing are reported as skipped. */
function installMissingTools(): void {
  const missing = missingTools();
  if (missing.length === 0 || process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) {
    return;
  }
  const packages = missing.map(({ debianPackage }) => debianPackage);
  console.log(`installing ${packages.join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update", "-qq"], { env, stdio: "ignore" });
  withoutServices(() => {
    for (const name of packages) {
      spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], {
        env,
        stdio: "ignore",
      });
    }
  });
}

/**
 * Keeps packages such as prometheus and memcached from starting a service when they're installed, unless the machine has
 * a policy of its own: tests start what they need themselves.
 */
function withoutServices(install: () => void): void {
  const policy = "/usr/sbin/policy-rc.d";
  if (existsSync(policy)) {
    install();
    return;
  }
  // 101: the action is forbidden.
  writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    install();
  } finally {
    rmSync(policy, { force: true });
  }
}

function conclude(tallies: readonly Tally[]): number {
  const skipped = tallies.flatMap((tally) => tally.skipped);
  const passed = sum(tallies.map((tally) => tally.passed));
  const failed = sum(tallies.map((tally) => tally.failed));
  for (const { name, file, reason } of skipped) {
    console.log(`skipped: ${name} (${file.replace(`${root}/`, "")}): ${reason}`);
  }
  const failures = process.env["CI"] === "true" ? failed + skipped.length : failed;
  if (failures > failed) {
    console.log(`with CI=true, skipped tests count as failed: ${skipped.length}`);
  }
  console.log(`${passed} passed, ${failures} failed`);
  return failures === 0 ? 0 : 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

process.exitCode = await main(process.argv.slice(2));
