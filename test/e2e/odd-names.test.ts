import assert from "node:assert/strict";
import { it } from "node:test";
import { configMapPath, describeOnEachCluster, makeNamespace, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { configMap } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";

describeOnEachCluster("a repository with odd names in it", (cluster) => {
  it("reaches nothing outside of the allowed namespaces", async () => {
    const [team, other] = [await makeNamespace(cluster.kube), await makeNamespace(cluster.kube)];
    const attacks = [`${team}/../${other}`, `${team}/configmaps/../../${other}`, `${team}:x`, `${team}%2f..`];
    const files = Object.fromEntries(
      attacks.map((namespace, index) => [`${index}.yaml`, configMap("odd", "v1", JSON.stringify(namespace))]),
    );
    await using repository = await TestRepository.create({
      ...files,
      "a.yaml": configMap("plain", "v1", team),
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: [`--k8s-allow-namespace=${team}`, "--sync-garbage-collection"],
    });

    await until("the sync", async () => (await repository.synced()) !== "");

    assert.ok(await cluster.kube.get(configMapPath("plain", team)));
    assert.equal(await cluster.kube.get(configMapPath("odd", other)), undefined);
    assert.equal(await cluster.kube.get(configMapPath("odd", team)), undefined);
    const warning = /warning="not applying resources; excluded by namespace constraints" resources=(.*)\n/;
    const excluded = warning.exec(fluxd.log)?.[1] ?? "";
    for (const namespace of attacks) {
      assert.ok(excluded.includes(`${namespace}:configmap/odd`), `${namespace} in ${excluded}`);
    }
  });

  it("changes no other object, and fails for the odd ones alone, in kubectl's words", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({ "a.yaml": configMap("before", "v1", namespace) });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--sync-garbage-collection"],
    });
    await fluxd.synced(repository);
    const metadata = (await cluster.kube.get(`/api/v1/namespaces/${namespace}`))?.metadata;

    await repository.push(
      {
        "dots.yaml": configMap('".."', "v1", namespace),
        "dot.yaml": configMap('"."', "v1", namespace),
        "slash.yaml": configMap('"before/../after"', "v1", namespace),
        "space.yaml": configMap("lost", "v1", `"${namespace}/.."`),
        "z.yaml": configMap("after", "v1", namespace),
      },
      "add odd names",
    );
    const { code, stderr } = await fluxctl(fluxd, "sync");

    assert.equal(code, 0, stderr);
    assert.ok(await cluster.kube.get(configMapPath("after", namespace)));
    assert.deepEqual((await cluster.kube.get(configMapPath("before", namespace)))?.data, { key: "v1" });
    assert.deepEqual((await cluster.kube.get(`/api/v1/namespaces/${namespace}`))?.metadata, metadata);
    await fluxd.logged(/invalid resource name .*\.\..*may not be '\.\.'/);
    await fluxd.logged(/invalid resource name .*before\/\.\.\/after.*may not contain '\/'/);
    await fluxd.logged(/invalid namespace .*may not contain '\/'/);
  });
});
