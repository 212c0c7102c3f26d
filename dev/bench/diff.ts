/**
 * Measures the comparison of targets with live objects, without a server: 10,000 objects that are in sync
 * (one third each Deployments, Services, and ConfigMaps), the same with one changed field each, and for
 * reference a plain deep comparison of as many equal objects. `node dev/bench/diff.ts`, or with another number of
 * objects.
 */
import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject } from "@weir/base";
import { diffThreeWay, isInSync, withLastApplied } from "@weir/engine/diff";
import { gvkOf, type KubeObject } from "@weir/kube";
import { builtinPatchSchema, type PatchSchema } from "@weir/kube/patch";
import { makeObjects } from "./support/objects.ts";
import { note, printTable, row } from "./support/table.ts";

const runs = 7;
const count = Number(process.argv[2] ?? 10_000);

const manifests = makeObjects(count);
const targets = manifests.map(withLastApplied);
const lives = targets.map(asLive);
const changed = manifests.map((object) => withLastApplied(withLabel(object)));
const schemas = new Map(
  ["Namespace", "Deployment", "Service", "ConfigMap"].map((kind) => [kind, schemaOf(kind)]),
);
const copies = lives.map((live) => structuredClone(live));

const unchanged = measure(() => countWhere(targets, (target, live) => !sync(target, live)), 0);
const peer = measure(() => countWhere(copies, (copy, live) => !isDeepStrictEqual(copy, live)), 0);
const patches = measure(() => countWhere(changed, (target, live) => diff(target, live)), targets.length);
const texts = measure(() => manifests.map(withLastApplied).length - manifests.length, 0);

console.log(
  printTable(`${count} objects`, [
    row("all in sync", { measured: unchanged, limit: 100, unit: "ms" }),
    note("deep comparison of as many equal objects (node:util)", peer, "ms"),
    note("a patch for each object, if each is changed", patches, "ms"),
    note("writing their last-applied configurations again", texts, "ms"),
  ]),
);

function sync(target: KubeObject, live: KubeObject): boolean {
  return isInSync(target, live, schemas.get(target.kind));
}

function diff(target: KubeObject, live: KubeObject): boolean {
  return diffThreeWay({ target, live, schema: schemas.get(target.kind) }).kind === "patch";
}

function countWhere(
  objects: readonly KubeObject[],
  holds: (object: KubeObject, live: KubeObject) => boolean,
): number {
  return objects.filter((object, index) => {
    const live = lives[index];
    return live !== undefined && holds(object, live);
  }).length;
}

/** The median of several runs, in milliseconds; each must return the same number. */
function measure(run: () => number, expected: number): number {
  const times = Array.from({ length: runs }, () => {
    const started = performance.now();
    const result = run();
    const took = performance.now() - started;
    if (result !== expected) {
      throw new Error(`expected ${expected}, found ${result}`);
    }
    return took;
  });
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
}

function schemaOf(kind: string): PatchSchema | undefined {
  return builtinPatchSchema(gvkOf({ apiVersion: kind === "Deployment" ? "apps/v1" : "v1", kind }));
}

function withLabel(object: KubeObject): KubeObject {
  const labels = { ...object.metadata.labels, changed: "yes" };
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** The object as a server returns it: a copy, with the server's additions. */
function asLive(target: KubeObject): KubeObject {
  const copy = structuredClone(target);
  const metadata = {
    ...copy.metadata,
    uid: crypto.randomUUID(),
    resourceVersion: "1234",
    creationTimestamp: "2026-11-21T00:00:00Z",
  };
  const spec = isJsonObject(copy.spec) ? { spec: withDefaults(target.kind, copy.spec) } : {};
  return { ...copy, metadata, ...spec, status: { observedGeneration: 1 } };
}

function withDefaults(kind: string, spec: JsonObject): JsonObject {
  if (kind === "Service") {
    return { clusterIP: "10.0.0.1", sessionAffinity: "None", type: "ClusterIP", ...spec };
  }
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } };
  return { progressDeadlineSeconds: 600, revisionHistoryLimit: 10, strategy, ...spec };
}
