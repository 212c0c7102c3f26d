import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { configMapPath, describeOnEachCluster, kubeObject, makeNamespace } from "@weir/testing";
import type { Preview } from "../../src/index.ts";
import { EngineRig } from "../support/engine-rig.ts";

function configMap(namespace: string, name: string, data = "{ a: b }"): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace} }
    data: ${data}
  `;
}

/** In lines, e.g. "ConfigMap a created". */
function told({ tasks }: Preview): readonly string[] {
  return tasks.map(({ task, change, error, reason }) =>
    [task.key.kind, task.key.name, error === undefined ? change : "refused", reason ?? ""]
      .join(" ")
      .trimEnd(),
  );
}

describeOnEachCluster("a preview", (cluster) => {
  let rig: EngineRig;
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
  });

  after(() => rig[Symbol.asyncDispose]());

  it("reports what a sync would do, and changes nothing", async () => {
    const synced = [configMap(namespace, "same"), configMap(namespace, "other"), configMap(namespace, "old")];
    await rig.sync("preview", synced);

    const targets = [
      configMap(namespace, "same"),
      configMap(namespace, "other", "{ a: c }"),
      configMap(namespace, "new"),
    ];
    const preview = await rig.preview("preview", targets);

    assert.deepEqual(told(preview), [
      "ConfigMap new created",
      "ConfigMap other configured",
      "ConfigMap old deleted",
    ]);
    const [created, changed, deleted] = preview.tasks;
    assert.deepEqual([created?.before, created?.after?.data], [undefined, { a: "b" }]);
    assert.deepEqual([changed?.before?.data, changed?.after?.data], [{ a: "b" }, { a: "c" }]);
    assert.deepEqual([deleted?.before?.data, deleted?.after], [{ a: "b" }, undefined]);
    const live = await Promise.all(
      ["new", "other", "old"].map((name) => cluster.kube.get(configMapPath(name, namespace))),
    );
    assert.deepEqual(
      live.map((object) => object?.data),
      [undefined, { a: "b" }, { a: "b" }],
    );
  });

  it("sends no requests for unchanged objects", async () => {
    const targets = [configMap(namespace, "a"), configMap(namespace, "b")];
    await rig.sync("preview-none", targets);
    rig.asked.take();

    const preview = await rig.preview("preview-none", targets);

    assert.deepEqual([told(preview), rig.asked.take()], [[], []]);
  });

  it("shows the object as the server would store it, without server metadata", async () => {
    const pod = (image: string): KubeObject => kubeObject`
      apiVersion: v1
      kind: Pod
      metadata: { name: p, namespace: ${namespace} }
      spec: { containers: [{ name: main, image: ${image} }] }
    `;
    await rig.sync("preview-pod", [pod("example.test/a:1")]);

    const { tasks } = await rig.preview("preview-pod", [pod("example.test/a:2")]);

    const [{ before: was, after: becomes } = { before: undefined, after: undefined }] = tasks;
    assert.deepEqual(Object.keys(was?.metadata ?? {}).toSorted(), ["labels", "name", "namespace"]);
    assert.deepEqual(JSON.parse(JSON.stringify(was).replace("a:1", "a:2")), becomes);
    assert.match(JSON.stringify(becomes), /"restartPolicy":"Always"/);
  });

  it("hides the contents of Secrets, but shows which values change", async () => {
    const secret = (password: string): KubeObject => kubeObject`
      apiVersion: v1
      kind: Secret
      metadata: { name: s, namespace: ${namespace} }
      stringData: { user: admin, password: ${password} }
    `;
    await rig.sync("preview-secret", [secret("canary-one")]);

    const { tasks } = await rig.preview("preview-secret", [secret("canary-two")]);

    const text = JSON.stringify(tasks.map(({ before: was, after: becomes }) => [was, becomes]));
    assert.doesNotMatch(text, /canary|Y2FuYXJ5|admin|YWRtaW4/);
    const [only] = tasks;
    const [was, becomes] = [only?.before?.data, only?.after?.data] as readonly Record<string, string>[];
    assert.deepEqual(
      [was?.["user"] === becomes?.["user"], was?.["password"] === becomes?.["password"]],
      [true, false],
    );
  });

  it("looks past namespaces and kinds that the same sync brings", async () => {
    const namespace = `preview-${crypto.randomUUID().slice(0, 8)}`;
    const group = `${namespace}.example.test`;
    const targets = [
      kubeObject`{ apiVersion: v1, kind: Namespace, metadata: { name: ${namespace} } }`,
      configMap(namespace, "a"),
      kubeObject`
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: { name: gadgets.${group} }
        spec:
          group: ${group}
          scope: Namespaced
          names: { kind: Gadget, plural: gadgets, singular: gadget, listKind: GadgetList }
          versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
      `,
      kubeObject`{ apiVersion: ${group}/v1, kind: Gadget, metadata: { name: g, namespace: default } }`,
    ];

    const preview = await rig.preview("preview-new", targets);

    assert.deepEqual(told(preview).toSorted(), [
      `ConfigMap a created not checked: the same sync creates Namespace ${namespace}`,
      `CustomResourceDefinition gadgets.${group} created`,
      `Gadget g created not checked: the same sync creates CustomResourceDefinition gadgets.${group}`,
      `Namespace ${namespace} created`,
    ]);
  });

  it("reports each refusal with its reason", async () => {
    const targets = [
      configMap(namespace, "fine"),
      configMap("no-such-namespace", "lost"),
      kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: wrong, namespace: ${namespace} }, date: {} }`,
      kubeObject`{ apiVersion: example.test/v1, kind: Unknown, metadata: { name: u, namespace: ${namespace} } }`,
    ];

    const preview = await rig.preview("preview-refused", targets);

    const errors = preview.tasks.flatMap(({ task, error }) =>
      error === undefined ? [] : [[task.key.name, error]],
    );
    assert.deepEqual(told(preview)[0], "ConfigMap fine created");
    assert.deepEqual(errors.map(([name]) => name).toSorted(), ["lost", "u", "wrong"]);
    const text = errors.flat().join("\n");
    assert.match(text, /namespaces "no-such-namespace" not found/);
    assert.match(text, /unknown field "date"/);
    assert.match(text, /no matches for kind "Unknown"/);
  });
});
