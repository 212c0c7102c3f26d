/**
 * Measures `fluxctl top` with 1,000 workloads on a real control plane: the processor time of fluxctl and fluxd while
 * nothing changes, and how much is written to the terminal. `npm run build && node dev/bench/top.ts`
 */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startControlPlane } from "@weir/testing";
import { Fluxd } from "../../test/support/fluxd.ts";
import { TestRepository } from "../../test/support/repository.ts";
import { TestTerminal } from "../../test/support/terminal.ts";
import { makeDeployment, namespaceOf } from "./support/objects.ts";
import { note, printTable, row } from "./support/table.ts";
import { until } from "./support/until.ts";

const workloads = 1_000;
const idleSeconds = 60;
const moves = 20;

await using plane = await startControlPlane();
await using repository = await TestRepository.create(files());
await using fluxd = await Fluxd.start({
  gitUrl: repository.url,
  kubeconfigPath: plane.kubeconfigPath,
  flags: ["--sync-timeout=10m"],
});
await until("the first sync", async () => (await repository.synced()) !== "", 300);
await using terminal = await TestTerminal.start({ env: { FLUX_URL: fluxd.apiUrl }, columns: 120, rows: 40 });
const log = join(terminal.home, "log");
const pidFile = join(terminal.home, "pid");

const began = performance.now();
await terminal.enter(`script -qfc "sh -c 'echo \\$\\$ > ${pidFile}; exec fluxctl top'" ${log}`);
await terminal.shows(/bench-0/);
const start = performance.now() - began;
const pid = Number(readFileSync(pidFile, "utf8"));
await sleep(10_000);
const first = written();
const before = [cpuOf(pid), cpuOf(fluxd.pid)] as const;
await sleep(idleSeconds * 1000);
const after = [cpuOf(pid), cpuOf(fluxd.pid)] as const;
const idle = written() - first;
for (let move = 0; move < moves; move += 1) {
  await terminal.press("Down");
  await sleep(200);
}
const moved = written() - first - idle;
const drawing = cpuOf(pid) - after[0];

console.log(
  printTable(`fluxctl top with ${workloads} workloads, on a terminal of 120 × 40`, [
    row("fluxctl while nothing changes", {
      measured: share(after[0] - before[0]),
      limit: 1,
      unit: "% of a core",
    }),
    row("fluxd while nothing changes", {
      measured: share(after[1] - before[1]),
      limit: 1,
      unit: "% of a core",
    }),
    note("written while nothing changes", idle, "bytes"),
    note("until the tree is shown", start, "ms"),
    note("written until then", first, "bytes"),
    note("written per move of the selection", moved / moves, "bytes"),
    note("fluxctl per move of the selection", (1000 * drawing) / moves, "ms"),
    note("memory of fluxctl", memoryOf(pid), "MiB"),
  ]),
);
await terminal.press("C-c");

function written(): number {
  return statSync(log).size;
}

function share(seconds: number): number {
  return (100 * seconds) / idleSeconds;
}

/** The processor time of a process, in seconds. */
function cpuOf(process: number): number {
  const fields = readFileSync(`/proc/${process}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const perSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return (Number(fields[11]) + Number(fields[12])) / perSecond;
}

function memoryOf(process: number): number {
  const [, kib = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

function files(): Readonly<Record<string, string>> {
  const namespaces = Array.from({ length: 10 }, (_, at) => namespaceOf(at)).map((name) =>
    JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
  );
  const made = Array.from(
    { length: workloads },
    (_, at) => [`app-${at}.yaml`, JSON.stringify(makeDeployment(at, "1.0.0"))] as const,
  );
  return Object.fromEntries([["namespaces.yaml", namespaces.join("\n---\n")] as const, ...made]);
}
