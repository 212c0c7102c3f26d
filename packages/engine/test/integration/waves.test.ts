import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { configMapPath, describeOnEachCluster, kubeObject, makeNamespace, until } from "@weir/testing";
import { SyncAbortedError } from "../../src/index.ts";
import { EngineRig, told } from "../support/engine-rig.ts";

function configMap(namespace: string, name: string, annotations = "{}", data = "{ key: v1 }") {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace}, annotations: ${annotations} }
    data: ${data}
  `;
}

/** A pod that is to end; it does so when the test says so, for there is no kubelet. */
function pod(namespace: string, name: string, annotations: string) {
  return kubeObject`
    apiVersion: v1
    kind: Pod
    metadata: { name: ${name}, namespace: ${namespace}, annotations: ${annotations} }
    spec:
      restartPolicy: Never
      containers: [{ name: main, image: "example.test/migrate:1" }]
  `;
}

/** A load balancer, which is healthy when it has an address. */
function balancer(namespace: string, name: string, wave: number) {
  return kubeObject`
    apiVersion: v1
    kind: Service
    metadata:
      name: ${name}
      namespace: ${namespace}
      annotations: { argocd.argoproj.io/sync-wave: "${wave}" }
    spec: { type: LoadBalancer, selector: { app: ${name} }, ports: [{ port: 80 }] }
  `;
}

/** A kind of custom resources with a status. */
function certificates() {
  return kubeObject`
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: { name: certificates.cert-manager.io, annotations: { weir.dev/sync-wave: "-2" } }
    spec:
      group: cert-manager.io
      scope: Namespaced
      names: { kind: Certificate, plural: certificates, singular: certificate, listKind: CertificateList }
      versions:
        - name: v1
          served: true
          storage: true
          subresources: { status: {} }
          schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
  `;
}

function hook(phase: string, policy = "BeforeHookCreation"): string {
  return `{ argocd.argoproj.io/hook: ${phase}, argocd.argoproj.io/hook-delete-policy: ${policy} }`;
}

function podPath(namespace: string, name: string): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

describeOnEachCluster("waves and hooks", (cluster) => {
  let rig: EngineRig;
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
  });

  after(() => rig[Symbol.asyncDispose]());

  async function exists(path: string): Promise<true> {
    return until(path, async () => (await cluster.kube.get(path)) !== undefined);
  }

  /** Versions count the writes to all objects of a cluster. */
  async function versionOf(path: string): Promise<number> {
    return Number((await cluster.kube.get(path))?.metadata.resourceVersion);
  }

  async function ends(namespace: string, name: string, phase: "Succeeded" | "Failed"): Promise<void> {
    await exists(podPath(namespace, name));
    await cluster.kube.patch(`${podPath(namespace, name)}/status`, { status: { phase } });
  }

  it("waits for a wave to be healthy before the next begins", async () => {
    const syncing = rig.sync("waves", [
      balancer(namespace, "first", -1),
      configMap(namespace, "then"),
      configMap(namespace, "last", '{ weir.dev/sync-wave: "7" }'),
    ]);
    const path = `/api/v1/namespaces/${namespace}/services/first`;
    await exists(path);
    const address = [{ ip: "192.0.2.1" }];
    await cluster.kube.patch(`${path}/status`, { status: { loadBalancer: { ingress: address } } });

    assert.deepEqual(told(await syncing), [
      "Service first created",
      "ConfigMap then created",
      "ConfigMap last created",
    ]);
    const [healthy, next] = [await versionOf(path), await versionOf(configMapPath("then", namespace))];
    assert.ok(healthy < next, "the next wave was written after the first one became healthy");
  });

  it("doesn't pass a certificate that isn't ready, from its first moment on", async () => {
    const certificate = kubeObject`
      apiVersion: cert-manager.io/v1
      kind: Certificate
      metadata: { name: web, namespace: ${namespace}, annotations: { weir.dev/sync-wave: "-1" } }
      spec: { secretName: web }
    `;
    const path = `/apis/cert-manager.io/v1/namespaces/${namespace}/certificates/web`;
    const isReady = async (status: "True" | "False"): Promise<void> => {
      await cluster.kube.patch(`${path}/status`, { status: { conditions: [{ type: "Ready", status }] } });
    };
    const first = [certificates(), certificate];
    const targets = [...first, configMap(namespace, "then")];
    await rig.sync("waves-certificate", first);

    const refused = await rig.sync("waves-certificate", targets, { waitMs: 300 });
    const heldBack = "ConfigMap then HeldBack: an earlier step failed";
    assert.deepEqual(told(refused).slice(-2), [
      "Certificate web SyncFailed: not healthy within 0.3 s: no controller has reported on it yet",
      heldBack,
    ]);
    await isReady("False");
    const waiting = await rig.sync("waves-certificate", targets, { waitMs: 300 });
    assert.deepEqual(told(waiting).at(-1), heldBack);
    const syncing = rig.sync("waves-certificate", targets);
    await isReady("True");

    assert.deepEqual(told(await syncing).at(-1), "ConfigMap then created");
  });

  it("holds back the next wave if an object fails, and reports it", async () => {
    const result = await rig.sync("waves-failure", [
      configMap("nowhere", "lost", '{ weir.dev/sync-wave: "-1" }'),
      configMap(namespace, "beside", '{ weir.dev/sync-wave: "-1" }'),
      configMap(namespace, "later"),
    ]);

    assert.deepEqual(
      result.resources.map(({ key, code }) => `${key.name} ${code}`),
      ["beside Synced", "lost SyncFailed", "later HeldBack"],
    );
    assert.equal(await cluster.kube.get(configMapPath("later", namespace)), undefined);
  });

  it("runs hooks before and after, and waits for each", async () => {
    const targets = [
      pod(namespace, "before", hook("PreSync")),
      configMap(namespace, "a"),
      pod(namespace, "after", hook("PostSync", "HookSucceeded")),
    ];
    const syncing = rig.sync("hooks", targets);
    await exists(podPath(namespace, "before"));
    assert.equal(await cluster.kube.get(configMapPath("a", namespace)), undefined);

    await ends(namespace, "before", "Succeeded");
    await exists(podPath(namespace, "after"));
    assert.notEqual(await cluster.kube.get(configMapPath("a", namespace)), undefined);
    await ends(namespace, "after", "Succeeded");

    assert.deepEqual(told(await syncing), ["Pod before created", "ConfigMap a created", "Pod after created"]);
    assert.notEqual(await cluster.kube.get(podPath(namespace, "before")), undefined);
    await until("the hook to go", async () => isGoing(await cluster.kube.get(podPath(namespace, "after"))));
    rig.asked.take();
    assert.deepEqual(told(await rig.sync("hooks", targets)), ["ConfigMap a unchanged"]);
    assert.deepEqual(rig.asked.take(), []);
  });

  it("creates a hook again for each change", async () => {
    const targets = (data: string) => [
      pod(namespace, "before", hook("PreSync")),
      configMap(namespace, "a", "{}", data),
    ];
    const first = rig.sync("hooks-again", targets("{ key: v1 }"));
    await ends(namespace, "before", "Succeeded");
    await first;
    const old = await cluster.kube.get(podPath(namespace, "before"));

    const second = rig.sync("hooks-again", targets("{ key: v2 }"));
    await until("the new hook", async () => {
      const live = await cluster.kube.get(podPath(namespace, "before"));
      return live !== undefined && live.metadata.uid !== old?.metadata.uid;
    });
    await ends(namespace, "before", "Succeeded");

    assert.deepEqual(told(await second), ["Pod before created", "ConfigMap a configured"]);
  });

  it("applies nothing if an earlier hook fails, runs the SyncFail hooks, and retries", async () => {
    const targets = [
      pod(namespace, "before", hook("PreSync", "HookFailed")),
      configMap(namespace, "a"),
      pod(namespace, "rescue", hook("SyncFail")),
    ];
    const syncing = rig.sync("hooks-failure", targets);
    await ends(namespace, "before", "Failed");
    await ends(namespace, "rescue", "Succeeded");

    const result = await syncing;

    assert.deepEqual(told(result), [
      "Pod before SyncFailed: the hook failed",
      "ConfigMap a HeldBack: an earlier step failed",
      "Pod rescue created",
    ]);
    assert.equal(await cluster.kube.get(configMapPath("a", namespace)), undefined);
    await until("the hook to go", async () => isGoing(await cluster.kube.get(podPath(namespace, "before"))));
  });

  it("sees a hook end that is cleaned away the moment after, and one that someone deletes", async () => {
    const syncing = rig.sync("hooks-cleaned", [
      pod(namespace, "before", hook("PreSync", "HookFailed")),
      configMap(namespace, "a"),
      pod(namespace, "after", hook("PostSync", "HookFailed")),
    ]);
    await ends(namespace, "before", "Succeeded");
    await cluster.kube.delete(`${podPath(namespace, "before")}?gracePeriodSeconds=0`);
    await exists(podPath(namespace, "after"));
    await cluster.kube.delete(`${podPath(namespace, "after")}?gracePeriodSeconds=0`);

    assert.deepEqual(told(await syncing), [
      "Pod before created",
      "ConfigMap a created",
      "Pod after SyncFailed: the hook failed: someone else deleted it",
    ]);
  });

  it("ends immediately when aborted, reports what was done, and resumes when called again", async () => {
    const targets = [configMap(namespace, "a"), pod(namespace, "after", hook("PostSync"))];
    const abort = new AbortController();
    const syncing = rig.sync("abort", targets, {}, abort.signal);
    await exists(podPath(namespace, "after"));

    abort.abort(new Error("enough"));
    const error = await syncing.catch((thrown: unknown) => thrown);
    const old = await cluster.kube.get(podPath(namespace, "after"));
    const again = rig.sync("abort", targets);
    await ends(namespace, "after", "Succeeded");

    assert.ok(error instanceof SyncAbortedError);
    assert.deepEqual(error.cause, new Error("enough"));
    assert.deepEqual(told(error.result)[0], "ConfigMap a created");
    assert.deepEqual(told(await again), ["ConfigMap a unchanged", "Pod after created"]);
    assert.equal((await cluster.kube.get(podPath(namespace, "after")))?.metadata.uid, old?.metadata.uid);
  });

  it("stops between objects when aborted in the middle of a wave", async () => {
    const targets = Array.from({ length: 30 }, (_, index) =>
      configMap(namespace, `c${String(index).padStart(2, "0")}`),
    );
    await rig.sync("abort-middle", []);
    const abort = new AbortController();
    let posts = 0;
    rig.asked.around = async (send) => {
      posts += 1;
      if (posts === 10) {
        abort.abort();
      }
      return send();
    };

    const error = await rig
      .sync("abort-middle", targets, { parallelism: 1 }, abort.signal)
      .catch((thrown: unknown) => thrown);

    rig.asked.around = (send) => send();
    assert.ok(error instanceof SyncAbortedError);
    const codes = error.result.resources.map(({ code }) => code);
    assert.deepEqual(
      codes.slice(0, 9),
      Array.from({ length: 9 }, () => "Synced"),
    );
    assert.deepEqual(
      codes.slice(9),
      Array.from({ length: 21 }, () => "HeldBack"),
    );
    assert.equal((await rig.sync("abort-middle", targets)).phase, "Succeeded");
  });
});

function isGoing(live: { metadata: { deletionTimestamp?: string } } | undefined): boolean {
  return live === undefined || live.metadata.deletionTimestamp !== undefined;
}
