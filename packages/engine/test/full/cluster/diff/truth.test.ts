import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isJsonArray, isJsonObject, type JsonValue } from "@weir/base";
import { gvkOf, type KubeObject, keyOf, printKey, resourcePath } from "@weir/kube";
import { createDiscovery } from "@weir/kube/rest";
import { type BorrowedControlPlane, borrowControlPlane, freshNamespace, missing } from "@weir/testing";
import fc from "fast-check";
import { asJson } from "../../../../src/diff/as-json.ts";
import { type JsonPath, setAt, valueAt } from "../../../../src/ignore/json-path.ts";
import { type ApplyMethod, tasksOf } from "../../../../src/index.ts";
import { customKinds } from "../../../support/custom-kinds.ts";
import { EngineRig, told } from "../../../support/engine-rig.ts";
import { everyKind } from "../../../support/every-kind.ts";

const methods: readonly ApplyMethod[] = ["client-side", "server-side", "replace"];

describe("what a new engine plans for objects that were applied", { skip: missing() }, () => {
  let plane: BorrowedControlPlane;
  before(async () => {
    plane = await borrowControlPlane();
  });
  after(async () => {
    await plane.stop();
  });

  it("is tested with every kind that the server can apply", async () => {
    await using rig = await EngineRig.open(plane.kubeconfigPath);
    const kinds = await createDiscovery(rig.client).kinds();
    const served = kinds
      .map(({ versions: [{ group, kind, verbs }] }) => ({ name: `${group}/${kind}`, verbs }))
      .filter(
        ({ name, verbs }) =>
          verbs.includes("create") && verbs.includes("patch") && !name.includes("example.com"),
      );
    const tried = new Set(
      everyKind("a", "a")
        .map(gvkOf)
        .map(({ group, kind }) => `${group}/${kind}`),
    );

    assert.deepEqual(
      served.map(({ name }) => name).filter((name) => !tried.has(name)),
      ["apiextensions.k8s.io/CustomResourceDefinition"],
    );
  });

  for (const method of methods) {
    it(`is nothing, and what somebody changed since: ${method}`, async () => {
      const namespace = await freshNamespace(plane);
      const objects = [...everyKind(namespace, namespace), ...customKinds(namespace, namespace)];
      await apply(objects, method);

      assert.deepEqual(await planned(objects, method), []);

      const drifted = await drift(objects);
      assert.ok(drifted.length > 30, `only ${drifted.length} objects could be changed`);
      assert.deepEqual((await planned(objects, method)).toSorted(), drifted.toSorted());
    });
  }

  async function apply(objects: readonly KubeObject[], method: ApplyMethod): Promise<void> {
    await using rig = await EngineRig.open(plane.kubeconfigPath);
    const result = await rig.sync("truth", objects, { method, prune: "off" });
    assert.deepEqual(
      told(result).filter((line) => !line.endsWith(" created")),
      [],
    );
  }

  /** The objects that a new engine would write. */
  async function planned(objects: readonly KubeObject[], method: ApplyMethod): Promise<readonly string[]> {
    await using rig = await EngineRig.open(plane.kubeconfigPath);
    const { plan } = await rig.preview("truth", objects, { method, prune: "off" });
    return tasksOf(plan)
      .filter(({ action }) => action !== "unchanged")
      .map(({ key }) => printKey(key));
  }

  /** Changes one value of each object, wherever the server allows it; returns the changed objects. */
  async function drift(objects: readonly KubeObject[]): Promise<readonly string[]> {
    await using rig = await EngineRig.open(plane.kubeconfigPath);
    const discovery = createDiscovery(rig.client);
    const [order = []] = fc.sample(
      fc.array(fc.nat(), { minLength: objects.length, maxLength: objects.length }),
      1,
    );
    const drifted: string[] = [];
    // Definitions and services of APIs decide what the server serves.
    const changeable = objects.filter(
      ({ kind }) => kind !== "CustomResourceDefinition" && kind !== "APIService",
    );
    for (const [index, object] of changeable.entries()) {
      const resource = await discovery.resourceFor(gvkOf(object));
      assert.ok(resource !== undefined);
      const path = resourcePath(resource, object.metadata.namespace ?? "", object.metadata.name ?? "");
      if (await changeOne(rig, path, object, order[index] ?? 0)) {
        drifted.push(printKey(keyOf(object)));
      }
    }
    return drifted;
  }
});

/** Changes one of the values that the manifest sets; false if the server keeps them all. */
async function changeOne(rig: EngineRig, path: string, object: KubeObject, start: number): Promise<boolean> {
  const leaves = leavesOf(asJson(object), []).filter(
    ([field]) => !["apiVersion", "kind", "metadata", "status", "stringData"].includes(String(field)),
  );
  const rotated = leaves.map((_, index) => leaves[(start + index) % leaves.length] ?? []);
  for (const leaf of rotated) {
    const live = await read(rig, path);
    const before = valueAt(live, leaf);
    if (before === undefined || before !== valueAt(asJson(object), leaf)) {
      continue;
    }
    const body = structuredClone(live);
    setAt(body, leaf, otherThan(before));
    try {
      await rig.client.json({ method: "PUT", path, body, query: { fieldManager: "somebody" } });
    } catch {
      continue;
    }
    if (JSON.stringify(valueAt(await read(rig, path), leaf)) !== JSON.stringify(before)) {
      return true;
    }
  }
  return false;
}

async function read(rig: EngineRig, path: string): Promise<JsonValue> {
  return (await rig.client.json({ method: "GET", path })) as JsonValue;
}

function otherThan(value: JsonValue): JsonValue {
  if (typeof value === "number") {
    return value + 1;
  }
  return typeof value === "boolean" ? !value : `${typeof value === "string" ? value : ""}x`;
}

/** The paths of all scalars. */
function leavesOf(value: JsonValue, path: JsonPath): readonly JsonPath[] {
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : leavesOf(member, [...path, name]),
    );
  }
  return value === null ? [] : [path];
}
