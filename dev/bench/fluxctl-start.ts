/**
 * Measures how long fluxctl takes to start: alternates between the shipped programs and a Node.js that does
 * nothing, so that other load affects all of them alike: `npm run build && node dev/bench/fluxctl-start.ts`. The single
 * executable is built here, once with code that was compiled in advance and once without, as for another platform.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownPlatform } from "../release/binaries/platforms.ts";
import { executableOf } from "../release/binaries/release-program.ts";
import { note, printTable, row } from "./support/table.ts";

const rounds = 41;
const fluxctl = join(import.meta.dirname, "..", "..", "dist", "fluxctl");
const floor = "node -e 0";
/** How much longer than the bundle an executable may take. */
const factor = 1.3;

const platform = ownPlatform();
if (platform === undefined) {
  throw new Error("no executables are released for this platform");
}
const folder = mkdtempSync(join(tmpdir(), "weir-bench-"));
const signal = AbortSignal.timeout(600_000);
const executable = join(folder, "compiled", "fluxctl");
const plain = join(folder, "plain", "fluxctl");
await executableOf({ program: "fluxctl", platform }, executable, signal);
await executableOf({ program: "fluxctl", platform, compile: false }, plain, signal);

const commands = new Map<string, readonly [program: string, ...args: string[]]>([
  [floor, [process.execPath, "-e", "0"]],
  ["fluxctl version", [fluxctl, "version"]],
  ["fluxctl --help", [fluxctl, "--help"]],
  ["fluxctl release --help", [fluxctl, "release", "--help"]],
  ["fluxctl __complete ''", [fluxctl, "__complete", ""]],
  ["executable version", [executable, "version"]],
  ["executable --help", [executable, "--help"]],
  ["executable without code version", [plain, "version"]],
  ["executable without code --help", [plain, "--help"]],
]);

const times = new Map([...commands.keys()].map((name) => [name, []] as [string, number[]]));
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, [program, ...args]] of commands) {
    const began = performance.now();
    execFileSync(program, args, { stdio: "ignore" });
    // The first round fills the system's caches.
    if (round > 0) {
      times.get(name)?.push(performance.now() - began);
    }
  }
}
rmSync(folder, { recursive: true, force: true });

console.log(
  printTable(`Start of fluxctl, medians of ${rounds}`, [
    note(floor, medianOf(floor), "ms"),
    row("fluxctl version", { measured: medianOf("fluxctl version"), limit: 60, unit: "ms" }),
    row("fluxctl --help", { measured: medianOf("fluxctl --help"), limit: 80, unit: "ms" }),
    note("fluxctl release --help", medianOf("fluxctl release --help"), "ms"),
    note("fluxctl __complete ''", medianOf("fluxctl __complete ''"), "ms"),
    ...["version", "--help"].flatMap((command) =>
      ["executable", "executable without code"].map((kind) =>
        row(`${kind} ${command}`, {
          measured: medianOf(`${kind} ${command}`),
          limit: factor * medianOf(`fluxctl ${command}`),
          unit: "ms",
        }),
      ),
    ),
    note(`${floor}, the fastest`, fastestOf(floor), "ms"),
    note("fluxctl version, the fastest", fastestOf("fluxctl version"), "ms"),
    note("fluxctl --help, the fastest", fastestOf("fluxctl --help"), "ms"),
  ]),
);

/** An estimate of the time on an idle machine. */
function fastestOf(name: string): number {
  return Math.min(...(times.get(name) ?? []));
}

function medianOf(name: string): number {
  const sorted = (times.get(name) ?? []).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
