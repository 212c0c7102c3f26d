/**
 * `npm run fuzz`: the properties of the tests with another seed and more cases than `npm test` tries.
 * `npm run fuzz -- test/differential/releases.test.ts` runs only the named files. WEIR_FUZZ_SEED repeats a run,
 * WEIR_FUZZ_RUNS=10 tries ten times as many as usual. What fails tells the seed and the smallest case found.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Files with random input; those below test/e2e start servers for each case, and are left to `npm test`. */
function filesWithRandomInput(): readonly string[] {
  const files = globSync("test/{unit,differential}/**/*.test.ts", { cwd: root });
  return files
    .filter((file) => /\bfc\.(assert|sample)\(/.test(readFileSync(join(root, file), "utf8")))
    .toSorted();
}

function main(named: readonly string[]): number {
  const seed = process.env["WEIR_FUZZ_SEED"] ?? String(randomInt(2 ** 31));
  const runs = process.env["WEIR_FUZZ_RUNS"] ?? "20";
  const files = named.length > 0 ? named : filesWithRandomInput();
  console.log(`WEIR_FUZZ_SEED=${seed} WEIR_FUZZ_RUNS=${runs}: ${files.length} files`);
  const { status } = spawnSync(
    process.execPath,
    ["--import=./test/support/property.ts", "--test", "--test-reporter=dot", ...files],
    { cwd: root, env: { ...process.env, WEIR_FUZZ_SEED: seed, WEIR_FUZZ_RUNS: runs }, stdio: "inherit" },
  );
  return status ?? 1;
}

process.exitCode = main(process.argv.slice(2));
