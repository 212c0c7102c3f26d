import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { describeOnEachCluster, kubeObject, makeNamespace, until } from "@weir/testing";
import { SyncAbortedError, SyncReplacedError, type SyncResult } from "../../src/index.ts";
import { EngineRig, syncRequest, told } from "../support/engine-rig.ts";
import { TextStore } from "../support/text-store.ts";

const never = new AbortController().signal;

function configMap(namespace: string, name: string, annotations = "{}", data = "{ key: v1 }") {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace}, annotations: ${annotations} }
    data: ${data}
  `;
}

/** A pod that is to end; it does so when the test says so, for there is no kubelet. */
function pod(namespace: string, name: string, annotations: string, image = "example.test/migrate:1") {
  return kubeObject`
    apiVersion: v1
    kind: Pod
    metadata: { name: ${name}, namespace: ${namespace}, annotations: ${annotations} }
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 0
      containers: [{ name: main, image: "${image}" }]
  `;
}

function hook(phase: string, policy = "BeforeHookCreation"): string {
  return `{ weir.dev/hook: "${phase}", weir.dev/hook-delete-policy: "${policy}" }`;
}

function podPath(namespace: string, name: string): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

/** The error with which a sync ends. */
async function failureOf(syncing: Promise<unknown>): Promise<unknown> {
  return syncing.then(
    () => assert.fail("the sync has ended without an error"),
    (error: unknown) => error,
  );
}

describeOnEachCluster("syncs that outlast their caller", (cluster) => {
  let namespace: string;

  beforeEach(async () => {
    namespace = await makeNamespace(cluster.kube);
  });

  /** The live pod, once there is one. */
  async function podOf(namespace: string, name: string): Promise<KubeObject> {
    return until(name, async () => cluster.kube.get(podPath(namespace, name)));
  }

  async function ends(namespace: string, name: string, phase: "Succeeded" | "Failed"): Promise<void> {
    await podOf(namespace, name);
    await cluster.kube.patch(`${podPath(namespace, name)}/status`, { status: { phase } });
  }

  /** Lets the pod succeed that is made in the place of another. */
  async function endsAgain({ metadata: { namespace = "", name = "", uid } }: KubeObject): Promise<void> {
    await until("the new hook", async () => (await podOf(namespace, name)).metadata.uid !== uid);
    await ends(namespace, name, "Succeeded");
  }

  /** An engine of its own process, with what earlier ones have stored. */
  function engine(store: TextStore): Promise<EngineRig> {
    return EngineRig.open(cluster.kubeconfigPath, {}, store);
  }

  /** Syncs until a Pod is created in the namespace; right after the answer, the process ends. */
  async function syncUntilPod(
    store: TextStore,
    owner: string,
    namespace: string,
    targets: readonly KubeObject[],
  ): Promise<void> {
    await using rig = await engine(store);
    const crash = new AbortController();
    rig.client.around = async (send, { method, path }) => {
      crash.signal.throwIfAborted();
      const answer = await send();
      if (method === "POST" && path.endsWith(`/${namespace}/pods`)) {
        crash.abort();
      }
      return answer;
    };
    assert.ok((await failureOf(rig.sync(owner, targets, {}, crash.signal))) instanceof SyncAbortedError);
  }

  it("let a hook finish that outlasts each of its callers", async () => {
    const targets = [pod(namespace, "before", hook("PreSync")), configMap(namespace, "a")];
    await using rig = await engine(new TextStore());
    const uids = new Set<string | undefined>();

    for (let attempt = 0; attempt < 5; attempt += 1) {
      const limit = new AbortController();
      const syncing = failureOf(rig.sync("outlasts", targets, {}, limit.signal));
      uids.add((await podOf(namespace, "before")).metadata.uid);
      limit.abort();
      await syncing;
    }
    const last = rig.sync("outlasts", targets);
    await ends(namespace, "before", "Succeeded");

    assert.deepEqual(told(await last), ["Pod before created", "ConfigMap a created"]);
    uids.add((await podOf(namespace, "before")).metadata.uid);
    assert.equal(uids.size, 1);
  });

  it("wait for the hook that was running when the process ended", async () => {
    const store = new TextStore();
    const targets = [configMap(namespace, "a"), pod(namespace, "after", hook("PostSync"))];
    const { uid } = await (async () => {
      await using rig = await engine(store);
      const crash = new AbortController();
      const syncing = failureOf(rig.sync("running", targets, {}, crash.signal));
      const { metadata } = await podOf(namespace, "after");
      crash.abort();
      await syncing;
      return metadata;
    })();

    await using rig = await engine(store);
    const syncing = rig.sync("running", targets);
    await ends(namespace, "after", "Succeeded");

    assert.deepEqual(told(await syncing), ["ConfigMap a unchanged", "Pod after created"]);
    assert.equal((await podOf(namespace, "after")).metadata.uid, uid);
  });

  it("recognize a hook that was created the moment before the process ended", async () => {
    const store = new TextStore();
    const targets = [pod(namespace, "before", hook("PreSync")), configMap(namespace, "a")];
    await syncUntilPod(store, "created", namespace, targets);
    const { uid } = (await podOf(namespace, "before")).metadata;

    await using rig = await engine(store);
    const syncing = rig.sync("created", targets);
    await ends(namespace, "before", "Succeeded");

    assert.deepEqual(told(await syncing), ["Pod before created", "ConfigMap a created"]);
    assert.equal((await podOf(namespace, "before")).metadata.uid, uid);
  });

  it("fail if someone deleted the running hook in the meantime", async () => {
    const store = new TextStore();
    const targets = [pod(namespace, "before", hook("PreSync")), configMap(namespace, "a")];
    {
      await using rig = await engine(store);
      const crash = new AbortController();
      const syncing = failureOf(rig.sync("deleted", targets, {}, crash.signal));
      await until("the UID", () => Promise.resolve(store.texts.get("deleted")?.includes('"uid"')));
      crash.abort();
      await syncing;
    }
    await cluster.kube.delete(`${podPath(namespace, "before")}?gracePeriodSeconds=0`);

    await using rig = await engine(store);

    assert.deepEqual(told(await rig.sync("deleted", targets)), [
      "Pod before SyncFailed: the hook failed: someone else deleted it",
      "ConfigMap a HeldBack: an earlier step failed",
    ]);
  });

  it("remember a failure until its SyncFail hooks have finished", async () => {
    const store = new TextStore();
    const targets = [
      configMap("nowhere", "lost"),
      pod(namespace, "rescue", hook("SyncFail")),
      pod(namespace, "after", hook("PostSync")),
    ];
    await syncUntilPod(store, "sync-fail", namespace, targets);
    const { uid } = (await podOf(namespace, "rescue")).metadata;
    await cluster.kube.create("/api/v1/namespaces", { metadata: { name: "nowhere" } }).catch(() => undefined);

    await using rig = await engine(store);
    const syncing = rig.sync("sync-fail", targets);
    await ends(namespace, "rescue", "Succeeded");
    const result = await syncing;

    assert.equal(result.phase, "Failed");
    assert.equal((await podOf(namespace, "rescue")).metadata.uid, uid);
    assert.equal(await cluster.kube.get(podPath(namespace, "after")), undefined);
  });

  it("end at once when a newer revision is to be synced", async () => {
    const store = new TextStore();
    await using rig = await engine(store);
    const targets = (data: string) => [
      configMap(namespace, "a", "{}", data),
      pod(namespace, "after", hook("PostSync")),
    ];
    const first = failureOf(rig.sync("newer", targets("{ key: r1 }"), { revision: "r1" }));
    const old = await podOf(namespace, "after");

    const second = rig.sync("newer", targets("{ key: r2 }"), { revision: "r2" });
    const error = await first;
    await endsAgain(old);

    assert.ok(error instanceof SyncReplacedError);
    assert.deepEqual(told(await second), ["ConfigMap a configured", "Pod after created"]);
    assert.equal(store.texts.size, 0);
  });

  it("give way to a higher generation, and not to a lower one, after a restart too", async () => {
    const store = new TextStore();
    const targets = [configMap(namespace, "a"), pod(namespace, "after", hook("PostSync"))];
    const sync = (rig: EngineRig, generation: number, signal = never): Promise<SyncResult> =>
      rig.sync("generations", targets, { generation }, signal);
    {
      await using rig = await engine(store);
      const crash = new AbortController();
      const first = failureOf(sync(rig, 1));
      await podOf(namespace, "after");
      const second = failureOf(sync(rig, 2, crash.signal));
      assert.ok((await first) instanceof SyncReplacedError);
      await until("generation 2", () =>
        Promise.resolve(store.texts.get("generations")?.includes('"generation":2')),
      );
      crash.abort();
      await second;
    }

    await using rig = await engine(store);
    const late = await failureOf(sync(rig, 1));
    const current = sync(rig, 2);
    await until("the hook of generation 2", () =>
      Promise.resolve(store.texts.get("generations")?.includes('"applied"')),
    );
    await ends(namespace, "after", "Succeeded");

    assert.ok(late instanceof SyncReplacedError);
    assert.equal((await current).phase, "Succeeded");
  });

  it("aren't blocked by the hook of an operation that was replaced", async () => {
    await using rig = await engine(new TextStore());
    const targets = (image: string) => [
      pod(namespace, "before", hook("PreSync", "HookSucceeded"), image),
      configMap(namespace, "a"),
    ];
    const first = failureOf(rig.sync("left", targets("example.test/migrate:1"), { revision: "r1" }));
    const old = await podOf(namespace, "before");

    const second = rig.sync("left", targets("example.test/migrate:2"), { revision: "r2" });
    await first;
    await endsAgain(old);

    assert.equal((await second).phase, "Succeeded");
  });

  it("wait for the object of an earlier run to disappear, without creating the hook twice", async () => {
    const store = new TextStore();
    await using rig = await engine(store);
    const held = pod(namespace, "before", hook("PreSync"));
    await cluster.kube.create(`/api/v1/namespaces/${namespace}/pods`, {
      ...held,
      metadata: { ...held.metadata, finalizers: ["example.test/held"] },
    });
    const targets = [held, configMap(namespace, "a")];

    const progress = await rig.engine.advance(syncRequest("clearing", targets, {}), never);
    assert.ok(progress.kind === "waiting");
    await cluster.kube.patch(podPath(namespace, "before"), { metadata: { finalizers: null } });
    await progress.changed(never);
    const next = await rig.engine.advance(syncRequest("clearing", targets, {}), never);
    assert.ok(next.kind === "waiting");
    await ends(namespace, "before", "Succeeded");
    await next.changed(never);
    const last = await rig.engine.advance(syncRequest("clearing", targets, {}), never);

    assert.ok(last.kind === "finished");
    assert.deepEqual(told(last.result), ["Pod before created", "ConfigMap a created"]);
  });

  it("store nothing without hooks, and nothing if nothing changes", async () => {
    const store = new TextStore();
    await using rig = await engine(store);
    await rig.sync("plain", [configMap(namespace, "a")]);
    const targets = [configMap(namespace, "a"), pod(namespace, "after", hook("PostSync"))];
    await rig.sync("plain", targets);

    assert.equal(store.saves, 0);
  });
});
