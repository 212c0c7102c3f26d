/**
 * Stands for Flux v1 in a pod: leaves in git, the cluster, and memcached what Flux v1 leaves there, once, and then does
 * nothing. Its arguments are those of Flux v1.
 */
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { openDeployKey, publicKeyOf } from "./deploy-key.ts";
import { imagesOf, storeImageRecords } from "./image-records.ts";
import { type MarkedObject, markedObjects } from "./marked-objects.ts";
import { ownNamespace, podKubectl } from "./pod-kubectl.ts";
import { parseStandInFlags, type StandInSettings } from "./settings.ts";
import { WorkTree } from "./work-tree.ts";

const port = 3030;

async function main(args: readonly string[]): Promise<void> {
  // The first process of a container ends by no signal that it doesn't listen for.
  process.once("SIGTERM", () => process.exit());
  const settings = parseStandInFlags(args);
  const key = await openDeployKey(settings.keySecret);
  const publicKey = { key: await publicKeyOf(key), fingerprints: null };
  createServer((_, response) => response.end(JSON.stringify(publicKey))).listen(port);
  const tree = await cloned(settings, key);
  const objects = await synced(tree, settings);
  if (settings.scansImages) {
    await storeImageRecords(settings.memcachedHost, [...imagesOf(objects), ...(await ownImages())]);
  }
  console.log(`in sync with ${await tree.head()}`);
}

/** Tries until the key is authorized, as Flux v1 does. */
async function cloned(settings: StandInSettings, key: string): Promise<WorkTree> {
  for (;;) {
    try {
      return await WorkTree.clone(await mkdtemp("/tmp/flux-"), settings, key);
    } catch (error) {
      console.log(String(error));
      await delay(200);
    }
  }
}

/** The first sync follows a release; any other finds that there is nothing to do, but applies everything again. */
async function synced(tree: WorkTree, settings: StandInSettings): Promise<readonly MarkedObject[]> {
  if ((await tree.synced()) === "") {
    await tree.release();
  }
  const objects = await markedObjects(tree.folder, settings);
  console.log(await apply(objects));
  if ((await tree.synced()) !== (await tree.head())) {
    await tree.tag();
  }
  return objects;
}

/** Applies objects but those that are to be left alone in the cluster; resolves to what kubectl tells. */
async function apply(objects: readonly MarkedObject[]): Promise<string> {
  const namespaces = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  const kinds = new Set(objects.filter(({ metadata }) => metadata.namespace).map(({ kind }) => kind));
  const live = await Promise.all([...namespaces].map((namespace) => liveObjects([...kinds], namespace)));
  const ignored = live.flat().filter(isIgnored).map(nameOf);
  const items = objects.filter((object) => !ignored.includes(nameOf(object))).toSorted(byRank);
  return podKubectl(["apply", "-f", "-"], listOf(items));
}

function listOf(items: readonly MarkedObject[]): string {
  return JSON.stringify({ apiVersion: "v1", kind: "List", items });
}

function isIgnored({ metadata }: MarkedObject): boolean {
  return metadata.annotations?.["fluxcd.io/ignore"] === "true";
}

function nameOf({ kind, metadata }: MarkedObject): string {
  return [kind, metadata.namespace, metadata.name].join("/");
}

/** Namespaces come before what's in them. */
function byRank(a: MarkedObject, b: MarkedObject): number {
  return Number(b.kind === "Namespace") - Number(a.kind === "Namespace");
}

/** The images that run beside Flux v1; it scanned those too. */
async function ownImages(): Promise<readonly string[]> {
  return imagesOf(await liveObjects(["Deployment"], ownNamespace()));
}

async function liveObjects(kinds: readonly string[], namespace: string): Promise<readonly MarkedObject[]> {
  const list = await podKubectl(["get", kinds.join(","), "-n", namespace, "-o", "json"]);
  return (JSON.parse(list) as { readonly items: readonly MarkedObject[] }).items;
}

await main(process.argv.slice(2));
