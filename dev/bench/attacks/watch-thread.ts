import { request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { highWaterMark, treeMemory } from "../support/processes.ts";
import type { Sighting, WatchTask } from "./watch.ts";

const { pid, pingUrl } = workerData as WatchTask;

let peakMiB = 0;
let slowestPing = 0;
let failedPings = 0;
let askedAt: number | undefined;

setInterval(() => {
  peakMiB = Math.max(peakMiB, treeMemory(pid));
}, 50);
setInterval(() => {
  if (askedAt === undefined) {
    void ping();
  }
}, 100);

parentPort?.on("message", () => {
  const waited = askedAt === undefined ? 0 : (performance.now() - askedAt) / 1000;
  const sighting: Sighting = {
    peakMiB,
    slowestPing: Math.max(slowestPing, waited),
    failedPings,
    highest: highWaterMark(pid),
  };
  [peakMiB, slowestPing, failedPings] = [0, 0, 0];
  parentPort?.postMessage(sighting);
});

async function ping(): Promise<void> {
  askedAt = performance.now();
  try {
    await answerOf(pingUrl);
  } catch {
    failedPings += 1;
  }
  slowestPing = Math.max(slowestPing, (performance.now() - askedAt) / 1000);
  askedAt = undefined;
}

function answerOf(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: false }, (incoming) => {
      incoming.resume();
      incoming.on("end", resolve);
      incoming.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}
