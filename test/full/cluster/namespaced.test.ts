import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isJsonObject } from "@weir/base";
import {
  type BorrowedControlPlane,
  borrowControlPlane,
  configMapPath,
  deploymentPath,
  KubeEyes,
  lacks,
  makeNamespace,
  TempFolder,
  until,
} from "@weir/testing";
import { Fluxd, fluxctl } from "../../support/fluxd.ts";
import { configMap, deployment } from "../../support/manifests.ts";
import { requestCounts } from "../../support/metrics.ts";
import { TestRepository } from "../../support/repository.ts";
import { allowAll, serviceAccountKubeconfig } from "../../support/service-account.ts";

describe("fluxd with Roles in two namespaces and no right elsewhere", { skip: lacks("Go") }, () => {
  const folder = new TempFolder();
  let plane: BorrowedControlPlane;
  let kube: KubeEyes;
  before(async () => {
    plane = await borrowControlPlane();
    kube = new KubeEyes(plane.url, plane.token);
  });
  after(async () => {
    await kube[Symbol.asyncDispose]();
    await plane.stop();
    folder[Symbol.dispose]();
  });

  /** Two namespaces in which the ServiceAccount of the first may do everything, and one that is closed to it. */
  async function threeNamespaces() {
    const [a, b, closed] = [await makeNamespace(kube), await makeNamespace(kube), await makeNamespace(kube)];
    const kubeconfigPath = await serviceAccountKubeconfig({ plane, kube, folder }, a);
    await allowAll(kube, a, a);
    await allowAll(kube, a, b);
    return { a, b, closed, kubeconfigPath };
  }

  it("syncs, lists, repairs and prunes there, and touches nothing elsewhere", async () => {
    const { a, b, closed, kubeconfigPath } = await threeNamespaces();
    await using repository = await TestRepository.create({
      "a.yaml": configMap("mine", "v1", a),
      "b.yaml": deployment("web").replace("namespace: default", `namespace: ${b}`),
      "closed.yaml": configMap("not-mine", "v1", closed),
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath,
      flags: [`--k8s-allow-namespace=${a},${b}`, "--sync-garbage-collection", "--sync-on-drift"],
    });
    await fluxd.synced(repository);

    assert.ok(await kube.get(configMapPath("mine", a)));
    assert.ok(await kube.get(deploymentPath("web", b)));
    assert.equal(await kube.get(configMapPath("not-mine", closed)), undefined);
    assert.match(
      fluxd.log,
      new RegExp(
        `warning="not applying resources; excluded by namespace constraints" resources=${closed}:configmap/not-mine\n`,
      ),
    );

    const everywhere = await fluxctl(fluxd, "list-workloads", "-a");
    const elsewhere = await fluxctl(fluxd, "list-workloads", "-n", closed);
    assert.deepEqual([everywhere.code, elsewhere.code], [0, 0], everywhere.stderr + elsewhere.stderr);
    assert.match(
      everywhere.stdout,
      new RegExp(`^WORKLOAD .*\n${b}:deployment/web +main +example\\.test/app:1 .*\n$`),
    );
    assert.match(elsewhere.stdout, /^WORKLOAD .*\n$/);

    await kube.patch(deploymentPath("web", b), { spec: { replicas: 7 } });
    await until("the replicas to be put back", async () => {
      const spec = (await kube.get(deploymentPath("web", b)))?.spec;
      return isJsonObject(spec) && spec["replicas"] === 1;
    });

    const label = (await kube.get(configMapPath("mine", a)))?.metadata.labels;
    const other = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "mine", labels: label } };
    await kube.create(`/api/v1/namespaces/${closed}/configmaps`, other);
    await repository.push({ "a.yaml": null }, "remove a file");
    const synced = await fluxctl(fluxd, "sync");
    assert.equal(synced.code, 0, synced.stderr);
    await until("the prune", async () => (await kube.get(configMapPath("mine", a))) === undefined);
    assert.ok(await kube.get(configMapPath("mine", closed)), "what bears the label elsewhere stays");
  });

  it("says once that the flag does not bound what is in no namespace", async () => {
    const { a, b, kubeconfigPath } = await threeNamespaces();
    await using repository = await TestRepository.create({
      "role.yaml":
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: unbound\nrules: []\n",
      "a.yaml": configMap("beside-the-unbound", "v1", a),
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath,
      flags: [`--k8s-allow-namespace=${a},${b}`, "--sync-interval=200ms"],
    });
    await syncs(fluxd, 3);

    const told =
      /warning="--k8s-allow-namespace doesn't restrict cluster-scoped resources; they are applied" resources=<cluster>:clusterrole\/unbound\n/g;
    assert.equal([...fluxd.log.matchAll(told)].length, 1, fluxd.log);
  });

  it("says once what it may not see, and does not ask again and again", async () => {
    const { a, b, kubeconfigPath } = await threeNamespaces();
    await using repository = await TestRepository.create({ "a.yaml": configMap("quiet", "v1", a) });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath,
      flags: [`--k8s-allow-namespace=${a},${b}`, "--sync-garbage-collection", "--sync-interval=200ms"],
    });
    await fluxd.synced(repository);
    await fluxd.logged(/"not allowed to watch these kinds; they are skipped" kinds=\S*,v1\/Node,/);
    await syncs(fluxd, 3);
    const before = complaints(fluxd);
    const requests = await requestCounts(fluxd);

    await syncs(fluxd, 10);

    assert.deepEqual(complaints(fluxd), before);
    assert.deepEqual(repeated(before), []);
    const after = await requestCounts(fluxd);
    const { GET: reads = 0 } = after;
    assert.deepEqual({ ...after, GET: 0, WATCH: 0 }, { ...requests, GET: 0, WATCH: 0 }, "nothing is written");
    assert.ok(reads - (requests["GET"] ?? 0) <= 2 * 12, "a sync asks for the two namespaces alone");
  });

  it("reports what is refused for the object alone", async () => {
    const { a, b, kubeconfigPath } = await threeNamespaces();
    await using repository = await TestRepository.create({
      "role.yaml":
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: refused\nrules: []\n",
      "a.yaml": configMap("beside-the-refused", "v1", a),
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath,
      flags: [`--k8s-allow-namespace=${a},${b}`],
    });

    await fluxd.synced(repository);

    assert.ok(await kube.get(configMapPath("beside-the-refused", a)));
    await fluxd.logged(/<cluster>:clusterrole\/refused: .*is forbidden: User \\"system:serviceaccount:/);
  });

  it("warns once of an allowed namespace that is missing, and uses it when it is there", async () => {
    const { a, kubeconfigPath } = await threeNamespaces();
    const missing = `${a}-missing`;
    await using repository = await TestRepository.create({
      "a.yaml": configMap("here", "v1", a),
      "missing.yaml": configMap("later", "v1", missing),
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath,
      flags: [`--k8s-allow-namespace=${a},${missing}`, "--sync-interval=200ms"],
    });
    await fluxd.synced(repository);
    assert.ok(await kube.get(configMapPath("here", a)));
    await syncs(fluxd, 5);

    const warnings = fluxd.log.match(/warning="cannot access allowed namespace" namespace=\S+ err=".*"\n/g);
    assert.equal(warnings?.length, 1);
    assert.match(
      warnings[0],
      new RegExp(`namespace=${missing} err="namespaces \\\\"${missing}\\\\" is forbidden: .*"\n`),
    );

    await kube.create("/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: missing },
    });
    await allowAll(kube, a, missing);
    await until("what belongs there", () => kube.get(configMapPath("later", missing)));
  });
});

/** Resolves after so many more syncs. */
async function syncs(fluxd: Fluxd, times: number): Promise<void> {
  const begun = (): number => fluxd.log.split("trying to sync git changes to the cluster").length;
  const before = begun();
  // One more is begun when the last of them has ended.
  await until(`${times} more syncs`, () => begun() > before + times);
}

/** The lines of the log that tell of something wrong, without their time. */
function complaints(fluxd: Fluxd): readonly string[] {
  const lines = fluxd.log.split("\n").filter((line) => /err=|warning=/.test(line));
  return lines.map((line) => line.replace(/^ts=\S+ /, ""));
}

function repeated(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => lines.indexOf(line) !== index);
}
