/**
 * Measures the main features with a real control plane: first sync, a pushed change, an unchanged sync,
 * drift, prune, listing, and memory, compared with plain parallel POSTs of the same objects and `kubectl
 * apply` of the same files. `npm run bench` measures 1,000 and 10,000 objects; `npm run bench -- 1000` only
 * 1,000.
 */
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { KubeObject } from "@weir/kube";
import { findProgram, freePort, startControlPlane } from "@weir/testing";
import { type BareApi, collectionPath, connectBare, postAll } from "./support/api.ts";
import { makeDeployment, makeObjects, namespaceOf } from "./support/objects.ts";
import { watchMemory } from "./support/processes.ts";
import { BenchRepository } from "./support/repository.ts";
import { note, printTable, type Row, row } from "./support/table.ts";
import { until } from "./support/until.ts";

const run = promisify(execFile);
const dist = join(import.meta.dirname, "..", "..", "dist");
const parallel = 16;

/** The limits for one size; some of them depend on the time of the plain POSTs. */
interface Limits {
  readonly firstSyncExtra: number;
  readonly change: number;
  readonly unchanged: number;
  readonly prune: number;
  readonly list: number;
  readonly memory: number;
}

const limits: Readonly<Record<number, Limits>> = {
  1000: { firstSyncExtra: 1, change: 0.5, unchanged: 0.1, prune: 0.7, list: 0.3, memory: 180 },
  10000: { firstSyncExtra: 2, change: 1, unchanged: 1, prune: 1, list: 1, memory: 450 },
};

const folder = mkdtempSync(join(tmpdir(), "weir-bench-"));
const sizes = process.argv.slice(2).map(Number);
try {
  for (const size of sizes.length > 0 ? sizes : [1000, 10000]) {
    console.log(printTable(`${size} objects`, await measure(size, join(folder, String(size)))));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(size: number, dir: string): Promise<readonly Row[]> {
  const objects = makeObjects(size);
  mkdirSync(dir, { recursive: true });
  const bare = await measureBare(objects);
  // With ten thousand objects, kubectl takes minutes and adds no information.
  const kubectl = size > 1000 ? undefined : await measureKubectl(objects, dir);
  return [
    note("bare parallel POSTs of the same objects", bare, "s"),
    ...(kubectl === undefined ? [] : [note("kubectl apply of the same files", kubectl, "s")]),
    ...(await measureWeir(objects, size, dir, bare)),
  ];
}

async function measureBare(objects: readonly KubeObject[]): Promise<number> {
  await using plane = await startControlPlane();
  const api = connectBare(plane.url, plane.token, parallel);
  const seconds = await postAll(api, objects, parallel);
  await api.close();
  return seconds;
}

async function measureKubectl(objects: readonly KubeObject[], dir: string): Promise<number | undefined> {
  const kubectl = findProgram("kubectl");
  if (kubectl === undefined) {
    return undefined;
  }
  const files = join(dir, "kubectl");
  mkdirSync(files);
  for (const [path, text] of filesOf(objects)) {
    writeFileSync(join(files, path), text);
  }
  await using plane = await startControlPlane();
  const started = performance.now();
  await run(kubectl, ["--kubeconfig", plane.kubeconfigPath, "apply", "-f", files], { maxBuffer: 1 << 26 });
  return (performance.now() - started) / 1000;
}

/** Ten objects in each file, as is common in repositories; the namespaces are in the first file. */
function filesOf(objects: readonly KubeObject[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (let index = 0; index < objects.length; index += 10) {
    const documents = objects
      .slice(index, index + 10)
      .map((object) => `---\n${JSON.stringify(object, null, 2)}\n`);
    files.set(`part-${String(index / 10).padStart(5, "0")}.yaml`, documents.join(""));
  }
  return files;
}

async function measureWeir(
  objects: readonly KubeObject[],
  size: number,
  dir: string,
  bare: number,
): Promise<readonly Row[]> {
  const limit = limits[size] ?? {
    firstSyncExtra: 2,
    change: 1,
    unchanged: 1,
    prune: 1,
    list: 1,
    memory: 450,
  };
  await using plane = await startControlPlane();
  const api = connectBare(plane.url, plane.token, 2);
  const repository = new BenchRepository(join(dir, "git"));
  const changing = makeDeployment(size + 100);
  const removed: KubeObject = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "to-remove", namespace: "bench-0" },
  };
  repository.push(
    new Map([
      ...filesOf(objects),
      ["changing.yaml", JSON.stringify(changing)],
      ["removed.yaml", JSON.stringify(removed)],
    ]),
    "initial",
  );
  await using fluxd = await startFluxd(repository, plane.kubeconfigPath, dir);
  const rows: Row[] = [];

  const first = await until("the first sync", () => repository.synced() === repository.head(), 600);
  rows.push(
    row("first sync, from start of the process", {
      measured: first + fluxd.startedAgo,
      limit: bare * 1.5 + limit.firstSyncExtra,
      unit: "s",
    }),
  );
  rows.push(note("first sync / bare POSTs", (first + fluxd.startedAgo) / bare, "×"));

  rows.push(
    row("pushed change, via fluxctl sync, until applied", {
      measured: await change(repository, api, fluxd, size),
      limit: limit.change,
      unit: "s",
    }),
  );

  const unchanged = await unchangedSync(repository, fluxd, api);
  rows.push(
    row("sync of unchanged objects", { measured: unchanged.seconds, limit: limit.unchanged, unit: "s" }),
  );
  rows.push(
    row("requests to the API server in it", { measured: unchanged.requests, limit: 0, unit: "requests" }),
  );

  rows.push(
    row("drift corrected, with --sync-on-drift", {
      measured: await drift(api, changing),
      limit: 1,
      unit: "s",
    }),
  );
  rows.push(
    row("prune of a removed file", {
      measured: await prune(repository, api, fluxd, removed),
      limit: limit.prune,
      unit: "s",
    }),
  );
  rows.push(
    row("fluxctl list-workloads -a, median of 5", {
      measured: await list(fluxd),
      limit: limit.list,
      unit: "s",
    }),
  );
  rows.push(
    row("peak memory of fluxd and its child processes", {
      measured: fluxd.memory.stop(),
      limit: limit.memory,
      unit: "MiB",
    }),
  );
  await api.close();
  return rows;
}

/** A running fluxd. */
interface RunningFluxd extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** The seconds between its start and the moment from which the caller measures. */
  readonly startedAgo: number;
  readonly memory: { stop(): number };
}

async function startFluxd(
  repository: BenchRepository,
  kubeconfig: string,
  dir: string,
): Promise<RunningFluxd> {
  const port = await freePort();
  const home = join(dir, "home");
  mkdirSync(home);
  const started = performance.now();
  const child = spawn(
    join(dist, "fluxd"),
    [
      `--git-url=${repository.url}`,
      "--git-poll-interval=1h",
      "--sync-interval=1h",
      "--sync-timeout=10m",
      "--sync-garbage-collection",
      "--sync-on-drift",
      "--registry-disable-scanning",
      `--kube-config=${kubeconfig}`,
      `--listen=127.0.0.1:${port}`,
    ],
    {
      env: { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: dir, CHECKPOINT_DISABLE: "1" },
      stdio: "ignore",
    },
  );
  const pid = child.pid ?? 0;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    startedAgo: (performance.now() - started) / 1000,
    memory: watchMemory(pid),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function change(
  repository: BenchRepository,
  api: BareApi,
  fluxd: RunningFluxd,
  size: number,
): Promise<number> {
  const index = size + 100;
  repository.push(
    new Map([["changing.yaml", JSON.stringify(makeDeployment(index, "2.0.0"))]]),
    "change an image",
  );
  const path = `/apis/apps/v1/namespaces/${namespaceOf(index)}/deployments/app-${index}`;
  const started = performance.now();
  const sync = run(join(dist, "fluxctl"), ["sync"], { env: fluxctlEnv(fluxd) });
  await until("the new image", async () => JSON.stringify(await api.get(path)).includes(':2.0.0"'), 60);
  const seconds = (performance.now() - started) / 1000;
  await sync;
  return seconds;
}

function fluxctlEnv(fluxd: RunningFluxd): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: folder, FLUX_URL: `${fluxd.url}/api/flux` };
}

/** Pushing a commit without manifests causes a sync that changes nothing; its time is fluxd's own metric. */
async function unchangedSync(
  repository: BenchRepository,
  fluxd: RunningFluxd,
  api: BareApi,
): Promise<{ seconds: number; requests: number }> {
  const before = await syncTime(fluxd);
  const requestsBefore = await requestsOf(api);
  repository.push(new Map([["README.md", "no manifest\n"]]), "touch no manifest");
  await run(join(dist, "fluxctl"), ["sync"], { env: fluxctlEnv(fluxd) });
  await until("the unchanged sync", async () => (await syncTime(fluxd)).count > before.count, 60);
  const after = await syncTime(fluxd);
  return {
    seconds: (after.sum - before.sum) / (after.count - before.count),
    requests: (await requestsOf(api)) - requestsBefore,
  };
}

async function syncTime(fluxd: RunningFluxd): Promise<{ readonly sum: number; readonly count: number }> {
  const text = await (await fetch(`${fluxd.url}/metrics`)).text();
  const value = (name: string): number =>
    Number(
      new RegExp(`^flux_daemon_sync_duration_seconds_${name}\\{success="true"\\} (\\S+)`, "m").exec(
        text,
      )?.[1] ?? 0,
    );
  return { sum: value("sum"), count: value("count") };
}

/**
 * The number of requests for objects that the API server has answered so far, without watches and our own.
 */
async function requestsOf(api: BareApi): Promise<number> {
  const text = await api.text("/metrics");
  const resources =
    /^apiserver_request_total\{.*resource="(?:deployments|services|configmaps|namespaces)".*\} (\S+)/gm;
  return [...text.matchAll(resources)]
    .filter(([line]) => !line.includes('verb="WATCH"') && !line.includes('verb="GET"'))
    .reduce((sum, match) => sum + Number(match[1]), 0);
}

async function drift(api: BareApi, deployment: KubeObject): Promise<number> {
  const path = `${collectionPath(deployment)}/${deployment.metadata.name ?? ""}`;
  await api.patch(path, { spec: { replicas: 7 } });
  return until(
    "the drift to be corrected",
    async () => JSON.stringify(await api.get(path)).includes('"replicas":2'),
    60,
  );
}

async function prune(
  repository: BenchRepository,
  api: BareApi,
  fluxd: RunningFluxd,
  removed: KubeObject,
): Promise<number> {
  repository.push(new Map([["removed.yaml", undefined]]), "remove a file");
  const path = `${collectionPath(removed)}/${removed.metadata.name ?? ""}`;
  const started = performance.now();
  const sync = run(join(dist, "fluxctl"), ["sync"], { env: fluxctlEnv(fluxd) });
  await until(
    "the object to be gone",
    () =>
      api.get(path).then(
        () => false,
        () => true,
      ),
    60,
  );
  const seconds = (performance.now() - started) / 1000;
  await sync;
  return seconds;
}

async function list(fluxd: RunningFluxd): Promise<number> {
  const seconds: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const started = performance.now();
    await run(join(dist, "fluxctl"), ["list-workloads", "-a"], {
      env: fluxctlEnv(fluxd),
      maxBuffer: 1 << 26,
    });
    seconds.push((performance.now() - started) / 1000);
  }
  return seconds.toSorted((a, b) => a - b)[2] ?? Number.NaN;
}
