/**
 * Does runs in a thread of its own, many at a time: the test runner follows every promise of its own thread, which takes
 * as long as the runs themselves.
 */
import { parentPort, workerData } from "node:worker_threads";
import { forEachBounded, toError } from "@weir/base";
import { KubeEyes } from "@weir/testing";
import { type FaultOutcome, faultRun } from "./fault-run.ts";
import { SimulatedControllers } from "./simulated-controllers.ts";

/** What a worker is given. */
export interface FaultWork {
  readonly url: string;
  readonly token: string;
  readonly seeds: readonly number[];
}

/** What it tells of each run. */
export interface FaultReport extends FaultOutcome {
  readonly seed: number;
}

/** How many runs go on at the same time: they mostly wait. */
const together = 50;

const { url, token, seeds } = workerData as FaultWork;
await using kube = new KubeEyes(url, token);
await using controllers = new SimulatedControllers(kube);
await forEachBounded(seeds, together, async (seed) => {
  const outcome = await faultRun(seed, { url, token, kube, controllers }).catch((error: unknown) => ({
    complaints: [toError(error).stack ?? ""],
    happened: [],
    syncs: [],
  }));
  parentPort?.postMessage({ seed, ...outcome } satisfies FaultReport);
});
