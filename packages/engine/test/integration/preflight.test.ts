import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { configMapPath, describeOnEachCluster, kubeObject, makeNamespace } from "@weir/testing";
import { EngineRig, told } from "../support/engine-rig.ts";

function configMap(namespace: string, name: string, data = "{ a: b }"): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace} }
    data: ${data}
  `;
}

/** The API server refuses it: the port is missing. */
function badService(namespace: string): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: Service
    metadata: { name: bad, namespace: ${namespace} }
    spec: { ports: [{ name: http }] }
  `;
}

function definition(group: string, scope: string): KubeObject {
  return kubeObject`
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: { name: gadgets.${group} }
    spec:
      group: ${group}
      scope: ${scope}
      names: { kind: Gadget, plural: gadgets, singular: gadget, listKind: GadgetList }
      versions:
        - name: v1
          served: true
          storage: true
          schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
  `;
}

function gadget(group: string, namespace: string, version = "v1"): KubeObject {
  return kubeObject`{ apiVersion: ${group}/${version}, kind: Gadget, metadata: { name: g, namespace: ${namespace} } }`;
}

function namespaced(name: string): KubeObject {
  return kubeObject`{ apiVersion: v1, kind: Namespace, metadata: { name: ${name} } }`;
}

describeOnEachCluster("a pre-flight check", (cluster) => {
  let rig: EngineRig;
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
  });

  after(() => rig[Symbol.asyncDispose]());

  it("changes nothing if the server refuses anything", async () => {
    await rig.sync("preflight", [configMap(namespace, "a"), configMap(namespace, "old")]);
    const hook = {
      ...configMap(namespace, "before"),
      metadata: { name: "before", namespace, annotations: { "weir.dev/hook": "PreSync" } },
    };
    const targets = [hook, configMap(namespace, "a", "{ a: c }"), badService(namespace)];

    const result = await rig.sync("preflight", targets, { preflight: true });

    const held = "HeldBack: the server refuses other objects of the same sync";
    assert.deepEqual(
      told(result)
        .map((line) => line.split("\n")[0])
        .toSorted(),
      [
        `ConfigMap a ${held}`,
        `ConfigMap before ${held}`,
        `ConfigMap old ${held}`,
        'Service bad SyncFailed: The Service "bad" is invalid: ',
      ],
    );
    assert.equal(result.phase, "Failed");
    assert.equal(result.message, "nothing was changed, because the server refuses 1 of 4 objects");
    const live = await Promise.all(
      ["before", "a", "old"].map((name) => cluster.kube.get(configMapPath(name, namespace))),
    );
    assert.deepEqual(
      live.map((object) => object?.data),
      [undefined, { a: "b" }, { a: "b" }],
    );
  });

  it("lets the sync go on if the server accepts everything", async () => {
    await rig.sync("preflight-fine", [configMap(namespace, "a"), configMap(namespace, "old")]);

    const result = await rig.sync("preflight-fine", [configMap(namespace, "a"), configMap(namespace, "b")], {
      preflight: true,
    });

    assert.deepEqual(told(result), ["ConfigMap a unchanged", "ConfigMap b created", "ConfigMap old deleted"]);
  });

  it("doesn't run hooks twice, and doesn't mind those of the previous sync", async () => {
    const hook = {
      ...configMap(namespace, "before"),
      metadata: { name: "before", namespace, annotations: { "weir.dev/hook": "PreSync" } },
    };
    await rig.sync("preflight-hooks", [hook, configMap(namespace, "a")], { preflight: true });
    const first = await cluster.kube.get(configMapPath("before", namespace));
    rig.client.take();

    const result = await rig.sync("preflight-hooks", [hook, configMap(namespace, "a", "{ a: c }")], {
      preflight: true,
    });

    assert.deepEqual(told(result), ["ConfigMap before created", "ConfigMap a configured"]);
    const second = await cluster.kube.get(configMapPath("before", namespace));
    assert.notEqual(first?.metadata.uid, second?.metadata.uid);
  });

  it("copes with what depends on the same plan", async () => {
    const namespace = `${await makeNamespace(cluster.kube)}-new`;
    const group = `${namespace}.example.test`;
    const targets = [
      namespaced(namespace),
      definition(group, "Namespaced"),
      gadget(group, namespace),
      configMap(namespace, "a"),
    ];

    const dry = await rig.sync("preflight-coming", targets, { dryRun: true });
    const preview = await rig.preview("preflight-coming", targets);
    const result = await rig.sync("preflight-coming", targets, { preflight: true });

    const [byNamespace, byKind] = [
      `not checked: the same sync creates Namespace ${namespace}`,
      `not checked: the same sync creates CustomResourceDefinition gadgets.${group}`,
    ];
    assert.deepEqual(told(dry).toSorted(), [
      `ConfigMap a created: ${byNamespace}`,
      `CustomResourceDefinition gadgets.${group} created`,
      `Gadget g created: ${byKind}`,
      `Namespace ${namespace} created`,
    ]);
    assert.deepEqual(
      preview.tasks
        .map(({ task, change, reason, error }) => [task.key.kind, change, reason ?? error])
        .toSorted(),
      [
        ["ConfigMap", "created", byNamespace],
        ["CustomResourceDefinition", "created", undefined],
        ["Gadget", "created", byKind],
        ["Namespace", "created", undefined],
      ],
    );
    assert.deepEqual(
      result.resources.map(({ change }) => change),
      ["created", "created", "created", "created"],
    );
  });

  it("refuses what the definition in the same plan rules out", async () => {
    const [one, other] = [`one-${namespace}.example.test`, `other-${namespace}.example.test`];
    const targets = [
      definition(one, "Cluster"),
      gadget(one, namespace),
      definition(other, "Namespaced"),
      gadget(other, namespace, "v2"),
    ];

    const result = await rig.sync("preflight-ruled-out", targets, { preflight: true });

    assert.deepEqual(
      result.resources.flatMap(({ error }) => error ?? []),
      [
        `error: CustomResourceDefinition gadgets.${one} defines a cluster-scoped kind, but the object has a namespace`,
        `error: unable to recognize "STDIN": no matches for kind "Gadget" in version "${other}/v2"`,
      ],
    );
    assert.equal(
      await cluster.kube.get(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.${one}`),
      undefined,
    );
  });
});
