/**
 * Measures lists of 1,000 workloads over HTTP while fluxd syncs continuously, with a real control plane: each
 * push changes a tenth of the workloads. `npm run build && node dev/bench/list.ts`
 */
import { startControlPlane } from "@weir/testing";
import { Fluxd } from "../../test/support/fluxd.ts";
import { TestRepository } from "../../test/support/repository.ts";
import { makeDeployment, namespaceOf } from "./support/objects.ts";
import { note, printTable, row } from "./support/table.ts";
import { until } from "./support/until.ts";

const workloads = 1_000;
const pushes = 10;
const limitMs = 50;

await using plane = await startControlPlane();
await using repository = await TestRepository.create(files("1.0.0", 0, workloads));
await using fluxd = await Fluxd.start({
  gitUrl: repository.url,
  kubeconfigPath: plane.kubeconfigPath,
  flags: ["--sync-interval=200ms", "--sync-timeout=10m"],
});
await until("the first sync", async () => (await repository.synced()) !== "", 300);
const quiet = await measure(() => Promise.resolve(false), 100);
const busy: number[] = [];
for (let round = 0; round < pushes; round += 1) {
  const begin = (round * workloads) / pushes;
  const pushed = await repository.push(
    files(`1.${round}.1`, begin, begin + workloads / pushes),
    "change a tenth",
  );
  await fluxd.notify(repository.url);
  busy.push(...(await measure(async () => (await repository.synced()) === pushed)));
}
console.log(
  printTable(`A list of ${workloads} workloads over HTTP, ${busy.length} times while syncs run`, [
    row("95th percentile", { measured: percentile(busy, 0.95), limit: limitMs, unit: "ms" }),
    note("median", percentile(busy, 0.5), "ms"),
    note("median when idle", percentile(quiet, 0.5), "ms"),
  ]),
);

/** The milliseconds of consecutive lists, until the condition is true or the maximum number is reached. */
async function measure(
  isDone: () => Promise<boolean>,
  atMost = Number.POSITIVE_INFINITY,
): Promise<readonly number[]> {
  const times: number[] = [];
  while (times.length < atMost && !(times.length % 10 === 9 && (await isDone()))) {
    const began = performance.now();
    const response = await fetch(`${fluxd.apiUrl}/v11/services`);
    await response.arrayBuffer();
    times.push(performance.now() - began);
  }
  return times;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function files(tag: string, from: number, to: number): Readonly<Record<string, string>> {
  const namespaces = Array.from({ length: 10 }, (_, at) => namespaceOf(at)).map((name) =>
    JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
  );
  const made = Array.from({ length: to - from }, (_, at) => from + at).map(
    (at) => [`web-${at}.yaml`, JSON.stringify(makeDeployment(at, tag))] as const,
  );
  return Object.fromEntries([["namespaces.yaml", namespaces.join("\n---\n")] as const, ...made]);
}
