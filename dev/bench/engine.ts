/**
 * Measures the engine with many objects. With a stub server, which makes up 100,000 objects: memory, loading,
 * ownership trees, and the time from a change to a subscriber. With a real control plane and 10,000 objects:
 * plans without changes, and a start of fluxd, next to bare lists of the same kinds and, if GITOPS_AGENT is the
 * path of a binary of gitops-engine's agent, next to that. `npm run build && node dev/bench/engine.ts`, or with
 * other numbers of objects: `node dev/bench/engine.ts 10000 1000`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane } from "@weir/testing";
import { BundledRun, startStub } from "./engine/bundled-run.ts";
import type { CacheRun } from "./engine/cache-run.ts";
import type { PlanRun } from "./engine/plan-run.ts";
import { bareLists, FluxdStarts, type Start, startAgent } from "./engine/restart.ts";
import { podsPerDeployment } from "./engine/stub-objects.ts";
import { makeObjects } from "./support/objects.ts";
import { BenchRepository } from "./support/repository.ts";
import { note, printTable, type Row, row } from "./support/table.ts";

const [many = 100_000, real = 10_000] = process.argv.slice(2).map(Number);
const agent = process.env["GITOPS_AGENT"];
const folder = mkdtempSync(join(tmpdir(), "weir-bench-"));
const isUsual = many === 100_000;
const rounds = 5;
try {
  console.log(printTable(`${many} objects of a stub server`, await measureCache()));
  console.log(printTable(`${real} unchanged objects of a real control plane`, await measureStarts()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureCache(): Promise<readonly Row[]> {
  const program = await BundledRun.of("cache-run", folder);
  const configMaps = [`ConfigMap=${many}`];
  const deployments = Math.round(many / (podsPerDeployment + 2));
  const workloads = [
    `Deployment=${deployments}`,
    `ReplicaSet=${deployments}`,
    `Pod=${deployments * podsPerDeployment}`,
  ];
  const applied = await runOn(program, "managed", configMaps);
  const slim = await runOn(program, "slim", workloads);
  const whole = await runOn(program, "whole", workloads);
  return [
    resident("ConfigMaps with 2 kB of last-applied annotation, no targets: resident", applied, 300),
    note("the same: heap for an object", applied.heapBytesAnObject, "B"),
    note("the same: loaded in", applied.loadSeconds, "s"),
    note("Deployments, ReplicaSets, and Pods, slim: resident", slim.residentMiB, "MiB"),
    note("the same: heap for an object", slim.heapBytesAnObject, "B"),
    note("the same, whole: resident", whole.residentMiB, "MiB"),
    note("the same: heap for an object", whole.heapBytesAnObject, "B"),
    limited(`tree of ${slim.treeNodes} slim objects, median of 15`, slim.treeMs, 300),
    note(`tree of ${whole.treeNodes} whole objects, median of 15`, whole.treeMs, "ms"),
    note("change to subscriber, median", percentile(slim.eventMs, 0.5), "ms"),
    note("change to subscriber, 99th percentile", percentile(slim.eventMs, 0.99), "ms"),
  ];
}

async function runOn(program: BundledRun, form: string, kinds: readonly string[]): Promise<CacheRun> {
  await using stub = await startStub(kinds);
  return await program.result<CacheRun>([stub.url, form, ...kinds]);
}

function resident(what: string, { residentMiB }: CacheRun, limit: number): Row {
  return isUsual ? row(what, { measured: residentMiB, limit, unit: "MiB" }) : note(what, residentMiB, "MiB");
}

function limited(what: string, measured: number, limit: number): Row {
  return isUsual ? row(what, { measured, limit, unit: "ms" }) : note(what, measured, "ms");
}

async function measureStarts(): Promise<readonly Row[]> {
  const program = await BundledRun.of("plan-run", folder);
  await using plane = await startControlPlane();
  await program.result([plane.kubeconfigPath, String(real), "sync"]);
  const plan = await program.result<PlanRun>([plane.kubeconfigPath, String(real), "plan"]);
  const repository = new BenchRepository(join(folder, "git"));
  repository.push(files(), "initial");
  using fluxds = new FluxdStarts(repository.url, plane);
  await fluxds.start([]);
  // In turn, because the speed of a shared machine changes from minute to minute.
  const bareSeconds: number[] = [];
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bareSeconds.push(await bareLists(plane));
    starts.push(await fluxds.start([]));
  }
  const bare = percentile(bareSeconds, 0.5);
  const fluxd = {
    seconds: percentile(
      starts.map(({ seconds }) => seconds),
      0.5,
    ),
    writes: starts.reduce((sum, { writes }) => sum + writes, 0),
    peakMiB: Math.max(...starts.map(({ peakMiB }) => peakMiB)),
  };
  const collecting = await fluxds.start(["--sync-garbage-collection"]);
  const peer =
    agent === undefined
      ? undefined
      : await startAgent(plane, { agent, repository: join(folder, "git", "clone"), folder });
  const limit = 1.2 * bare + 1;
  return [
    note("objects that a plan would change", plan.changes, "objects"),
    row("plan without changes, fresh engine, after its lists", {
      measured: plan.freshMs,
      limit: 400,
      unit: "ms",
    }),
    row("plan without changes, warm, median of 5", { measured: plan.warmMs, limit: 100, unit: "ms" }),
    note("lists of a fresh engine", plan.loadSeconds, "s"),
    note("resident memory of the engine", plan.residentMiB, "MiB"),
    note(`bare lists of the same kinds, median of ${rounds}`, bare, "s"),
    row(`fluxd, from start of the process until in sync, median of ${rounds}`, {
      measured: fluxd.seconds,
      limit,
      unit: "s",
    }),
    row("writes in them", { measured: fluxd.writes, limit: 0, unit: "writes" }),
    note("its peak memory, at most", fluxd.peakMiB, "MiB"),
    note("the same with garbage collection", collecting.seconds, "s"),
    note("writes in it", collecting.writes, "writes"),
    ...(peer === undefined
      ? []
      : [
          note("gitops-engine's agent, until its first sync is done", peer.seconds, "s"),
          note("writes in it", peer.writes, "writes"),
          note("its peak memory", peer.peakMiB, "MiB"),
        ]),
  ];
}

/** Ten objects in each file, as is common in repositories. */
function files(): ReadonlyMap<string, string> {
  const objects = makeObjects(real);
  const parts = Array.from({ length: Math.ceil(objects.length / 10) }, (_, part) =>
    objects.slice(part * 10, part * 10 + 10),
  );
  return new Map(
    parts.map((part, index) => [
      `part-${String(index).padStart(5, "0")}.yaml`,
      part.map((object) => `---\n${JSON.stringify(object, null, 2)}\n`).join(""),
    ]),
  );
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
