import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isJsonArray } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import {
  configMapPath,
  deploymentPath,
  KubeEyes,
  lacks,
  makeNamespace,
  startControlPlane,
  until,
} from "@weir/testing";
import { startEmbeddedCluster } from "../../../src/server.ts";
import { ask, type Dial } from "../../support/answer.ts";
import { configMap, deployment } from "../../support/objects.ts";
import { remove } from "../../support/request.ts";

interface Running extends Dial, AsyncDisposable {}

/** Both have the controllers that are tested here; nodes and what runs on them has the embedded one alone. */
const clusters: Readonly<Record<string, () => Promise<Running>>> = {
  "the embedded cluster": () => startEmbeddedCluster({ readyAfterMs: 10 }),
  "a real control plane": () => startControlPlane({ controllerManager: true }),
};

for (const [name, start] of Object.entries(clusters)) {
  const skip = name === "a real control plane" && lacks("Go");

  describe(`the controllers of ${name}`, { skip }, () => {
    const ends = new AsyncDisposableStack();
    let cluster: Running;
    let kube: KubeEyes;
    before(async () => {
      cluster = ends.use(await start());
      kube = ends.use(new KubeEyes(cluster.url, cluster.token));
    });
    after(() => ends.disposeAsync());

    it("give a new namespace its service account", async () => {
      const namespace = await makeNamespace(kube);

      await until("the account", () => kube.get(`/api/v1/namespaces/${namespace}/serviceaccounts/default`));
    });

    it("make the pods of a deployment, a hash in their labels, and replace them with its template", async () => {
      const namespace = await makeNamespace(kube);
      await kube.create(deployments(namespace), deployment("web", { replicas: 2 }));

      const first = await until("two pods", async () => some(2, await list(kube, podsOf(namespace))));
      const [set] = await list(kube, setsOf(namespace));
      await kube.patch(deploymentPath("web", namespace), {
        spec: { strategy: { type: "Recreate", rollingUpdate: null } },
      });
      await kube.patch(deploymentPath("web", namespace), {
        spec: { template: { metadata: { annotations: { again: "1" } } } },
      });
      const sets = await until("a second set", async () => some(2, await list(kube, setsOf(namespace))));

      const hash = set?.metadata.labels?.["pod-template-hash"];
      assert.equal(set?.metadata.name, `web-${hash}`);
      assert.deepEqual(
        first.map(({ metadata }) => metadata.labels),
        [
          { app: "web", "pod-template-hash": hash },
          { app: "web", "pod-template-hash": hash },
        ],
      );
      assert.notEqual(
        sets[0]?.metadata.labels?.["pod-template-hash"],
        sets[1]?.metadata.labels?.["pod-template-hash"],
      );
    });

    it("replace a pod that is deleted", async () => {
      const namespace = await makeNamespace(kube);
      await kube.create(setsOf(namespace), { ...deployment("web"), kind: "ReplicaSet" });
      const [lost] = await until("a pod", async () => some(1, await list(kube, podsOf(namespace))));

      await ask(cluster, remove(`${podsOf(namespace)}/${lost?.metadata.name}`, { gracePeriodSeconds: 0 }));

      await until("another pod", async () => {
        const [pod] = some(1, await list(kube, podsOf(namespace))) || [];
        return pod !== undefined && pod.metadata.uid !== lost?.metadata.uid;
      });
    });

    it("make the first pod of a stateful set under its own name", async () => {
      const namespace = await makeNamespace(kube);
      const set = { ...deployment("db", { serviceName: "db" }), kind: "StatefulSet" };

      await kube.create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, set);

      await until("the pod", () => kube.get(`${podsOf(namespace)}/db-0`));
    });

    it("make the pod of a job, and remove it with the job", async () => {
      const namespace = await makeNamespace(kube);
      const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
      const template = { spec: { containers: [{ name: "a", image: "a" }], restartPolicy: "Never" } };
      await kube.create(jobs, {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "once" },
        spec: { template },
      });
      await until("its pod", async () => some(1, await list(kube, podsOf(namespace))));

      await ask(cluster, remove(`${jobs}/once`, { propagationPolicy: "Background" }));

      await until("no job", async () => (await kube.get(`${jobs}/once`)) === undefined);
      await until("no running pod", async () => (await list(kube, podsOf(namespace))).every(isGoing));
    });

    it("remove what is owned after its owner", async () => {
      const namespace = await makeNamespace(kube);
      await own(kube, namespace);

      await ask(cluster, remove(configMapPath("owner", namespace), { propagationPolicy: "Background" }));

      await until(
        "no dependent",
        async () => (await kube.get(configMapPath("owned", namespace))) === undefined,
      );
    });

    it("remove what is owned before its owner", async () => {
      const namespace = await makeNamespace(kube);
      await own(kube, namespace, ["example.com/wait"]);

      await ask(cluster, remove(configMapPath("owner", namespace), { propagationPolicy: "Foreground" }));
      await until("a dependent that goes", async () => {
        const owned = await kube.get(configMapPath("owned", namespace));
        return owned !== undefined && isGoing(owned);
      });
      const owner = await kube.get(configMapPath("owner", namespace));
      await kube.patch(configMapPath("owned", namespace), { metadata: { finalizers: null } });

      assert.deepEqual(owner?.metadata.finalizers, ["foregroundDeletion"]);
      await until("no owner", async () => (await kube.get(configMapPath("owner", namespace))) === undefined);
    });

    it("leave what is owned an orphan where that is asked", async () => {
      const namespace = await makeNamespace(kube);
      await own(kube, namespace);

      await ask(cluster, remove(configMapPath("owner", namespace), { propagationPolicy: "Orphan" }));
      await until("no owner", async () => (await kube.get(configMapPath("owner", namespace))) === undefined);

      const owned = await kube.get(configMapPath("owned", namespace));
      assert.ok(owned);
      assert.equal(owned.metadata.ownerReferences, undefined);
    });

    it("end a namespace with all that is in it, once its finalizers are gone", async () => {
      const namespace = await makeNamespace(kube);
      await kube.create(configMapsOf(namespace), configMap("kept", { finalizers: ["example.com/wait"] }));
      await kube.create(deployments(namespace), deployment("web"));

      await kube.delete(`/api/v1/namespaces/${namespace}`);
      await until("an object that goes", async () => {
        const kept = await kube.get(configMapPath("kept", namespace));
        return kept !== undefined && isGoing(kept);
      });
      const going = await kube.get(`/api/v1/namespaces/${namespace}`);
      await kube.patch(configMapPath("kept", namespace), { metadata: { finalizers: null } });

      assert.ok(going && isGoing(going));
      await until(
        "no namespace",
        async () => (await kube.get(`/api/v1/namespaces/${namespace}`)) === undefined,
      );
    });
  });
}

describe("what runs in the embedded cluster", () => {
  const ends = new AsyncDisposableStack();
  let kube: KubeEyes;
  before(async () => {
    const cluster = ends.use(await startEmbeddedCluster({ readyAfterMs: 10 }));
    kube = ends.use(new KubeEyes(cluster.url, cluster.token));
  });
  after(() => ends.disposeAsync());

  it("becomes available", async () => {
    const namespace = await makeNamespace(kube);
    await kube.create(deployments(namespace), deployment("web", { replicas: 3 }));

    const web = await until("three that are available", async () => {
      const found = await kube.get(deploymentPath("web", namespace));
      return statusOf(found)["availableReplicas"] === 3 && found;
    });

    const { replicas, readyReplicas, updatedReplicas, observedGeneration } = statusOf(web);
    assert.deepEqual([replicas, readyReplicas, updatedReplicas, observedGeneration], [3, 3, 3, 1]);
  });

  it("is on every node, for a daemon set", async () => {
    const namespace = await makeNamespace(kube);
    const path = `/apis/apps/v1/namespaces/${namespace}/daemonsets`;
    await kube.create(path, { ...deployment("agent"), kind: "DaemonSet" });

    const nodes = await list(kube, "/api/v1/nodes");

    await until(
      "one on each",
      async () => statusOf(await kube.get(`${path}/agent`))["numberReady"] === nodes.length,
    );
  });

  it("comes one after the other, for a stateful set", async () => {
    const namespace = await makeNamespace(kube);
    const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
    await kube.create(path, { ...deployment("db", { serviceName: "db", replicas: 2 }), kind: "StatefulSet" });

    await until("both", async () => statusOf(await kube.get(`${path}/db`))["readyReplicas"] === 2);

    const names = (await list(kube, podsOf(namespace))).map(({ metadata }) => metadata.name);
    assert.deepEqual(names, ["db-0", "db-1"]);
  });

  it("completes, for a job", async () => {
    const namespace = await makeNamespace(kube);
    const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    const template = { spec: { containers: [{ name: "a", image: "a" }], restartPolicy: "Never" } };
    await kube.create(path, {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "once" },
      spec: { template },
    });

    const job = await until("its end", async () => {
      const found = await kube.get(`${path}/once`);
      return statusOf(found)["succeeded"] === 1 && found;
    });

    const conditions = statusOf(job)["conditions"];
    const types = isJsonArray(conditions)
      ? conditions.map((one) => (one as { readonly type: string }).type)
      : [];
    assert.ok(types.includes("Complete"));
  });
});

async function own(kube: KubeEyes, namespace: string, finalizers?: readonly string[]): Promise<void> {
  const owner = await kube.post(configMapsOf(namespace), configMap("owner"));
  const reference = {
    apiVersion: "v1",
    kind: "ConfigMap",
    name: "owner",
    uid: owner.metadata.uid,
    blockOwnerDeletion: true,
  };
  const more = finalizers === undefined ? {} : { finalizers };
  await kube.create(configMapsOf(namespace), configMap("owned", { ownerReferences: [reference], ...more }));
}

async function list(kube: KubeEyes, path: string): Promise<readonly KubeObject[]> {
  const found: unknown = await kube.get(path);
  return (found as { readonly items: readonly KubeObject[] }).items;
}

function some(count: number, objects: readonly KubeObject[]): readonly KubeObject[] | false {
  return objects.length === count && objects;
}

function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function statusOf(object: KubeObject | undefined): Readonly<Record<string, unknown>> {
  return (object as { readonly status?: Readonly<Record<string, unknown>> } | undefined)?.status ?? {};
}

function configMapsOf(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

function deployments(namespace: string): string {
  return `/apis/apps/v1/namespaces/${namespace}/deployments`;
}

function setsOf(namespace: string): string {
  return `/apis/apps/v1/namespaces/${namespace}/replicasets`;
}

function podsOf(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/pods`;
}
