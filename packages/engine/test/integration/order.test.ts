import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { describeOnEachCluster, kubeObject, makeNamespace, until } from "@weir/testing";
import { EngineRig, told } from "../support/engine-rig.ts";

function definition(kind: string, group: string) {
  const plural = `${kind.toLowerCase()}s`;
  return kubeObject`
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: { name: ${plural}.${group} }
    spec:
      group: ${group}
      scope: Namespaced
      names: { plural: ${plural}, singular: ${kind.toLowerCase()}, kind: ${kind}, listKind: ${kind}List }
      versions:
        - name: v1
          served: true
          storage: true
          schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
  `;
}

describeOnEachCluster("the order of a sync", (cluster) => {
  let rig: EngineRig;
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
  });

  after(() => rig[Symbol.asyncDispose]());

  it("makes a kind before its objects, and waits until it is served", async () => {
    const targets = [
      ...["a", "b", "c"].map(
        (name) => kubeObject`
            apiVersion: first.example.test/v1
            kind: Widget
            metadata: { name: ${name}, namespace: ${namespace} }
            spec: { size: 3 }
          `,
      ),
      definition("Widget", "first.example.test"),
    ];

    const result = await rig.sync("kind-first", targets);

    assert.deepEqual(told(result), [
      "CustomResourceDefinition widgets.first.example.test created",
      "Widget a created",
      "Widget b created",
      "Widget c created",
    ]);
  });

  it("asks nothing once more for custom resources that it made with their kind", async () => {
    const targets = [
      kubeObject`{ apiVersion: second.example.test/v1, kind: Gadget, metadata: { name: a, namespace: ${namespace} } }`,
      definition("Gadget", "second.example.test"),
    ];
    await rig.sync("kind-again", targets);
    const key = { group: "second.example.test", kind: "Gadget", namespace, name: "a" };
    await until("the kind to be followed", () => rig.cache.get(key));
    await rig.sync("kind-again", targets);
    rig.asked.take();

    const result = await rig.sync("kind-again", targets);

    assert.deepEqual(
      result.resources.map(({ change }) => change),
      ["unchanged", "unchanged"],
    );
    assert.deepEqual(rig.asked.take(), []);
    // The cache discovers kinds again after each change of one, those of other tests included, but not for each sync.
    await until("a sync for which the cache asks nothing either", async () => {
      rig.client.take();
      await rig.sync("kind-again", targets);
      return rig.client.take().length === 0;
    });
  });

  it("does not wait for a kind that will not come", async () => {
    const broken = definition("Broken", "third.example.test");

    const result = await rig.sync("no-kind", [
      { ...broken, metadata: { name: "wrong-name" } },
      kubeObject`{ apiVersion: third.example.test/v1, kind: Broken, metadata: { name: a, namespace: ${namespace} } }`,
    ]);

    assert.deepEqual(
      result.resources.map(({ key, code }) => `${key.kind} ${code}`),
      ["CustomResourceDefinition SyncFailed", "Broken SyncFailed"],
    );
    assert.equal(
      result.resources[1]?.error,
      'error: unable to recognize "STDIN": no matches for kind "Broken" in version "third.example.test/v1"',
    );
  });

  it("has no more requests under way than it may", async () => {
    const targets = Array.from(
      { length: 40 },
      (_, index) =>
        kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: c${index}, namespace: ${namespace} } }`,
    );
    await rig.sync("bounded", []);
    let active = 0;
    let most = 0;
    rig.client.around = async (send, { method }) => {
      // What the cache asks beside it is not the sync's.
      if (method !== "POST") {
        return send();
      }
      active += 1;
      most = Math.max(most, active);
      try {
        return await send();
      } finally {
        active -= 1;
      }
    };

    const result = await rig.sync("bounded", targets, { parallelism: 5 });

    rig.client.around = (send) => send();
    assert.equal(result.phase, "Succeeded");
    assert.equal(most, 5);
  });
});
