import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { isJsonArray, isJsonObject } from "@weir/base";
import { annotationOf, type KubeObject } from "@weir/kube";
import {
  configMapPath,
  deploymentPath,
  describeOnEachCluster,
  kubeObject,
  makeNamespace,
  until,
} from "@weir/testing";
import { lastAppliedAnnotation } from "../../src/index.ts";
import { EngineRig, told } from "../support/engine-rig.ts";

function configMap(namespace: string, name: string, data: string) {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace} }
    data: ${data}
  `;
}

function deployment(namespace: string, name: string, more = "") {
  return kubeObject`
    apiVersion: apps/v1
    kind: Deployment
    metadata: { name: ${name}, namespace: ${namespace} }
    spec:
      selector: { matchLabels: { app: ${name} } }
      template:
        metadata: { labels: { app: ${name} } }
        spec:
          containers: [{ name: main, image: "example.test/app:1" ${more} }]
  `;
}

describeOnEachCluster("applying", (cluster) => {
  let rig: EngineRig;
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
  });

  after(() => rig[Symbol.asyncDispose]());

  it("creates a missing object like kubectl apply", async () => {
    const result = await rig.sync("creates", [configMap(namespace, "a", "{ key: v1 }")]);

    const live = await cluster.kube.get(configMapPath("a", namespace));
    assert.deepEqual(told(result), ["ConfigMap a created"]);
    assert.deepEqual(live?.data, { key: "v1" });
    assert.equal(
      lastAppliedTo(live),
      `{"apiVersion":"v1","data":{"key":"v1"},"kind":"ConfigMap","metadata":{"annotations":{},"labels":{"example.test/owner":"creates"},"name":"a","namespace":"${namespace}"}}\n`,
    );
    assert.deepEqual(managersOf(live), ['"kubectl-client-side-apply" "Update"']);
  });

  it("sends no requests when nothing needs to change", async () => {
    const targets = [configMap(namespace, "a", "{ key: v1 }"), deployment(namespace, "web")];
    await rig.sync("unchanged", targets);
    rig.asked.take();

    const result = await rig.sync("unchanged", [...targets, configMap(namespace, "b", "{}")]);

    assert.deepEqual(told(result), [
      "ConfigMap a unchanged",
      "ConfigMap b created",
      "Deployment web unchanged",
    ]);
    assert.deepEqual(rig.asked.take(), [`POST /api/v1/namespaces/${namespace}/configmaps`]);
  });

  it("patches fields that differ from the manifest, and leaves other fields alone", async () => {
    await rig.sync("patches", [configMap(namespace, "a", "{ key: v1, gone: soon }")]);
    await cluster.kube.patch(configMapPath("a", namespace), { data: { theirs: "stays" } });
    await until("the news", () => keysOf(rig, namespace).includes("theirs"));

    const result = await rig.sync("patches", [configMap(namespace, "a", "{ key: v2 }")]);

    assert.deepEqual(told(result), ["ConfigMap a configured"]);
    assert.deepEqual((await cluster.kube.get(configMapPath("a", namespace)))?.data, {
      key: "v2",
      theirs: "stays",
    });
  });

  it("computes its patch again if the object has changed since it was read", async () => {
    await rig.sync("conflict", [configMap(namespace, "a", "{ key: v1 }")]);
    rig.asked.take();
    rig.client.beforeNext("PATCH", () =>
      cluster.kube.patch(configMapPath("a", namespace), { data: { theirs: "stays" } }),
    );

    const result = await rig.sync("conflict", [configMap(namespace, "a", "{ key: v2 }")]);

    assert.deepEqual(told(result), ["ConfigMap a configured"]);
    assert.deepEqual((await cluster.kube.get(configMapPath("a", namespace)))?.data, {
      key: "v2",
      theirs: "stays",
    });
    assert.deepEqual(
      rig.asked.take().map((request) => request.split(" ")[0]),
      ["PATCH", "GET", "PATCH"],
    );
  });

  it("continues if someone else created or deleted the object first", async () => {
    await rig.sync("faster", [configMap(namespace, "gone", "{ key: v1 }")]);
    rig.client.beforeNext("PATCH", () => cluster.kube.delete(configMapPath("gone", namespace)));
    const patched = await rig.sync("faster", [configMap(namespace, "gone", "{ key: v2 }")]);
    rig.client.beforeNext("POST", () =>
      cluster.kube.create(
        `/api/v1/namespaces/${namespace}/configmaps`,
        configMap(namespace, "new", "{ key: theirs }"),
      ),
    );

    const created = await rig.sync("faster", [
      configMap(namespace, "gone", "{ key: v2 }"),
      configMap(namespace, "new", "{ key: v1 }"),
    ]);

    assert.deepEqual(told(patched), ["ConfigMap gone created"]);
    assert.deepEqual(told(created), ["ConfigMap gone unchanged", "ConfigMap new configured"]);
  });

  it("reads an object whose kind is held in another version, and then only when it changes", async () => {
    const scaler = kubeObject`
      apiVersion: autoscaling/v1
      kind: HorizontalPodAutoscaler
      metadata: { name: web, namespace: ${namespace} }
      spec:
        scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
        maxReplicas: 3
        targetCPUUtilizationPercentage: 60
    `;
    await rig.sync("version", [scaler]);
    await until("the object to be known and unchanged", async () => {
      await rig.sync("version", [scaler]);
      rig.asked.take();
      const result = await rig.sync("version", [scaler]);
      return told(result)[0] === "HorizontalPodAutoscaler web unchanged" && rig.asked.take().length === 0;
    });
    const path = `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers/web`;

    await cluster.kube.patch(path, { spec: { maxReplicas: 9 } });
    await until("it to be put back", async () => {
      await rig.sync("version", [scaler]);
      const live = await cluster.kube.get(path);
      return JSON.stringify(live?.spec).includes('"maxReplicas":3');
    });
  });

  it("replaces an object that asks for it", async () => {
    const asked = { annotations: { "argocd.argoproj.io/sync-options": "Replace=true" } };
    const target = (data: string) => {
      const object = configMap(namespace, "a", data);
      return { ...object, metadata: { ...object.metadata, ...asked } };
    };
    await rig.sync("replaces", [target("{ key: v1 }")]);
    await cluster.kube.patch(configMapPath("a", namespace), { data: { theirs: "goes" } });

    await until("the replacement", async () => {
      await rig.sync("replaces", [target("{ key: v2 }")]);
      const live = await cluster.kube.get(configMapPath("a", namespace));
      return JSON.stringify(live?.data) === '{"key":"v2"}';
    });
    rig.asked.take();

    assert.deepEqual(told(await rig.sync("replaces", [target("{ key: v2 }")])), ["ConfigMap a unchanged"]);
    assert.deepEqual(rig.asked.take(), []);
  });

  it("applies server-side on request", async () => {
    const options = { method: "server-side" } as const;
    await rig.sync("server-side", [configMap(namespace, "a", "{ key: v1, gone: soon }")], options);
    await cluster.kube.patch(configMapPath("a", namespace), { data: { theirs: "stays" } });

    const result = await rig.sync("server-side", [configMap(namespace, "a", "{ key: v2 }")], options);

    const live = await cluster.kube.get(configMapPath("a", namespace));
    assert.deepEqual(told(result), ["ConfigMap a configured"]);
    assert.deepEqual(live?.data, { key: "v2", theirs: "stays" });
    assert.ok(managersOf(live).includes('"kubectl" "Apply"'));
    assert.equal(lastAppliedTo(live), undefined);
  });

  it("reports refusals like kubectl", async () => {
    await rig.sync("refused", [deployment(namespace, "web")]);
    const moved = kubeObject`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, namespace: ${namespace} }
      spec:
        selector: { matchLabels: { app: other } }
        template:
          metadata: { labels: { app: other } }
          spec: { containers: [{ name: main, image: "example.test/app:1" }] }
    `;

    const result = await rig.sync("refused", [
      moved,
      configMap("nowhere", "lost", "{}"),
      kubeObject`{ apiVersion: nothing.test/v1, kind: Thing, metadata: { name: t, namespace: ${namespace} } }`,
      kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: odd, namespace: ${namespace} }, dada: {} }`,
    ]);

    const errors = new Map(result.resources.map(({ key, error }) => [key.name, error ?? ""]));
    assert.match(
      errors.get("web") ?? "",
      /^The Deployment "web" is invalid: spec\.selector: Invalid value: .*: field is immutable$/,
    );
    assert.equal(
      errors.get("lost"),
      'Error from server (NotFound): error when creating "STDIN": namespaces "nowhere" not found',
    );
    assert.equal(
      errors.get("t"),
      'error: unable to recognize "STDIN": no matches for kind "Thing" in version "nothing.test/v1"',
    );
    assert.match(
      errors.get("odd") ?? "",
      /^Error from server \(BadRequest\): error when creating "STDIN": ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dada"$/,
    );
  });

  it("accepts fields that the server doesn't know if the object allows them", async () => {
    const loose = kubeObject`
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: loose
        namespace: ${namespace}
        annotations: { argocd.argoproj.io/sync-options: Validate=false }
      dada: {}
    `;

    assert.deepEqual(told(await rig.sync("loose", [loose])), ["ConfigMap loose created"]);
  });

  it("never reveals the contents of a Secret", async () => {
    const secret = (name: string, content: string) => kubeObject`
      apiVersion: v1
      kind: Secret
      metadata: { name: ${name}, namespace: ${namespace} }
      ${content}
    `;

    const result = await rig.sync("secret", [
      secret("plain", 'data: { password: "canary-not-base64!" }'),
      secret("typed", "data: { password: { nested: canary-in-a-map } }"),
      secret("odd", "stringData: { canary-in-a-key/: canary-in-a-value }"),
      secret("strict", "stringDada: { password: canary-misplaced }"),
    ]);

    assert.deepEqual(
      result.resources.map(({ code }) => code),
      ["SyncFailed", "SyncFailed", "SyncFailed", "SyncFailed"],
    );
    assert.doesNotMatch(JSON.stringify(result), /canary-(not|in-a-map|in-a-value|misplaced)/);
  });

  it("reports in a dry run what a sync would do, and changes nothing", async () => {
    await rig.sync("dry-run", [configMap(namespace, "a", "{ key: v1 }"), configMap(namespace, "old", "{}")]);

    const result = await rig.sync(
      "dry-run",
      [configMap(namespace, "a", "{ key: v2 }"), configMap(namespace, "new", "{}")],
      { dryRun: true },
    );

    assert.deepEqual(told(result), [
      "ConfigMap a configured",
      "ConfigMap new created",
      "ConfigMap old deleted",
    ]);
    assert.deepEqual((await cluster.kube.get(configMapPath("a", namespace)))?.data, { key: "v1" });
    assert.equal(await cluster.kube.get(configMapPath("new", namespace)), undefined);
    assert.notEqual(await cluster.kube.get(configMapPath("old", namespace)), undefined);
  });

  it("asks the server only once about a field that it doesn't store", async () => {
    const target = configMap(namespace, "a", "{}");
    await rig.sync("not-kept", [target]);

    const second = await rig.sync("not-kept", [target]);
    rig.asked.take();
    const third = await rig.sync("not-kept", [target]);

    assert.deepEqual([told(second), told(third)], [["ConfigMap a unchanged"], ["ConfigMap a unchanged"]]);
    assert.deepEqual(rig.asked.take(), []);
  });

  it("handles defaults and its own writes correctly in the next sync", async () => {
    const targets = [
      deployment(
        namespace,
        "web",
        ", resources: { limits: { cpu: 0.5, memory: 1024Mi } }, ports: [{ containerPort: 80 }]",
      ),
      kubeObject`
        apiVersion: v1
        kind: Service
        metadata: { name: web, namespace: ${namespace} }
        spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
      `,
    ];
    await rig.sync("defaults", targets);
    rig.asked.take();

    assert.deepEqual(told(await rig.sync("defaults", targets)), [
      "Service web unchanged",
      "Deployment web unchanged",
    ]);
    assert.deepEqual(rig.asked.take(), []);
    assert.notEqual(await cluster.kube.get(deploymentPath("web", namespace)), undefined);
  });

  function keysOf({ cache }: EngineRig, namespace: string): readonly string[] {
    const data = cache.get({ group: "", kind: "ConfigMap", namespace, name: "a" })?.data;
    return isJsonObject(data) ? Object.keys(data) : [];
  }
});

function lastAppliedTo(live: KubeObject | undefined): string | undefined {
  return live === undefined ? undefined : annotationOf(live, lastAppliedAnnotation);
}

function managersOf(live: KubeObject | undefined): readonly string[] {
  const entries = live?.metadata["managedFields"];
  return (isJsonArray(entries) ? entries : [])
    .filter(isJsonObject)
    .map((entry) => ["manager", "operation"].map((field) => JSON.stringify(entry[field])).join(" "));
}
