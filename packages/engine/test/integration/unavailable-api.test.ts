import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import {
  configMapPath,
  describeOnEachCluster,
  kubeObject,
  makeNamespace,
  type TestCluster,
  until,
} from "@weir/testing";
import { statusBy } from "../../src/fleet/unit-status.ts";
import { EngineRig, told } from "../support/engine-rig.ts";

const apiServices = "/apis/apiregistration.k8s.io/v1/apiservices";

/** An API whose server doesn't exist. */
const apiService = kubeObject`
  apiVersion: apiregistration.k8s.io/v1
  kind: APIService
  metadata: { name: v1.dead.example.test }
  spec:
    group: dead.example.test
    version: v1
    groupPriorityMinimum: 100
    versionPriority: 100
    insecureSkipTLSVerify: true
    service: { name: nowhere, namespace: default }
`;

function configMap(namespace: string, name: string) {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: ${name}, namespace: ${namespace} }
    data: { key: value }
  `;
}

function widget(namespace: string) {
  return kubeObject`
    apiVersion: dead.example.test/v1
    kind: Widget
    metadata: { name: w, namespace: ${namespace} }
  `;
}

describeOnEachCluster("an API that the server cannot reach", (cluster) => {
  let rig: EngineRig;

  before(async () => {
    rig = await EngineRig.open(cluster.kubeconfigPath);
    await cluster.kube.post(apiServices, apiService);
  });

  after(() => rig[Symbol.asyncDispose]());

  it("keeps nothing else from being synced and pruned", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await isNoticed(cluster, rig);
    await rig.sync("alive", [configMap(namespace, "a"), configMap(namespace, "b")]);

    const result = await rig.sync("alive", [configMap(namespace, "a")]);

    assert.deepEqual(told(result), ["ConfigMap a unchanged", "ConfigMap b deleted"]);
    await until("b to go", async () => (await cluster.kube.get(configMapPath("b", namespace))) === undefined);
  });

  // The embedded cluster serves only its own APIs, so none of them is out of reach.
  if (cluster.kind === "real") {
    it("shows in the status of whoever needs it, and of nobody else", async () => {
      const namespace = await makeNamespace(cluster.kube);
      await isNoticed(cluster, rig);
      const statusOf = async (objects: readonly ReturnType<typeof widget>[]) =>
        statusBy(await rig.plan("needy", objects), "r1", {});

      const [with_, without] = [
        await statusOf([configMap(namespace, "a"), widget(namespace)]),
        await statusOf([configMap(namespace, "a")]),
      ];

      assert.equal(with_.sync, "Unknown");
      assert.match(with_.message, /^unavailable: dead\.example\.test\/v1 \(.*nothing there is pruned$/);
      assert.deepEqual([without.sync, without.message], ["OutOfSync", ""]);
    });
  }

  it("is forgotten when its registration is gone", async () => {
    await cluster.kube.delete(`${apiServices}/v1.dead.example.test`);

    await until("the API to be forgotten", () => rig.cache.unavailable().length === 0);
  });
});

async function isNoticed({ kind }: TestCluster, rig: EngineRig): Promise<void> {
  if (kind === "real") {
    await until("the API to be noticed", () =>
      rig.cache.unavailable().some(({ group }) => group === "dead.example.test"),
    );
  }
}
