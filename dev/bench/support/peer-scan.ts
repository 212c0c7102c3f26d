/**
 * Fetches the same manifests and configurations as a scan, with docker-registry-client, in a separate process
 * so that its memory can be measured: `node dev/bench/support/peer-scan.ts <registry URL> <repository>…`. Only
 * computes digests. Prints a ScanResult as JSON.
 */
import { PeerRegistryClient } from "../../../test/support/peer-registry-client.ts";
import { eachInParallel } from "./each-in-parallel.ts";
import type { ScanResult } from "./scan-result.ts";

const connections = 10;
const [url = "", ...names] = process.argv.slice(2);

let requests = 0;
const start = performance.now();
const clients = names.map((name) => new PeerRegistryClient(url, name));
const images: (readonly [PeerRegistryClient, string])[] = [];
await eachInParallel(clients, connections, async (client) => {
  const tags = await client.tags();
  // The client authenticates before its first request.
  requests += 2;
  images.push(...tags.map((tag) => [client, tag] as const));
});
await eachInParallel(images, connections, async ([client, tag]) => {
  const { manifest } = await client.manifest(tag);
  await client.blob(manifest.config?.digest ?? "");
  requests += 2;
});
const seconds = (performance.now() - start) / 1000;
clients.forEach((client) => client[Symbol.dispose]());
const result: ScanResult = { seconds, requests, peakMiB: process.resourceUsage().maxRSS / 1024 };
console.log(JSON.stringify(result));
