import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type BorrowedControlPlane,
  borrowControlPlane,
  KubeEyes,
  lacks,
  makeNamespace,
  TempFolder,
} from "@weir/testing";
import { check, checkUntil, findingOf } from "../../support/fluxctl-check.ts";
import { Fluxd } from "../../support/fluxd.ts";
import { configMap } from "../../support/manifests.ts";
import { TestRepository } from "../../support/repository.ts";
import { allowAll, serviceAccountKubeconfig } from "../../support/service-account.ts";

describe("fluxctl check where rights are limited", { skip: lacks("Go") }, () => {
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

  it("finds before an install what somebody may not", async () => {
    const home = await makeNamespace(kube);
    const kubeconfig = await serviceAccountKubeconfig({ plane, kube, folder }, home);
    await allowAll(kube, home, home);
    const somebody = { KUBECONFIG: kubeconfig };

    const own = await check(["--pre", "-n", home], somebody);
    const foreign = await check(["--pre", "-n", "default"], somebody);

    assert.deepEqual([own.exit, foreign.exit], [0, 1]);
    assert.deepEqual(own.verdicts, [
      "cluster passed",
      "namespace passed",
      "documents passed",
      "permissions warning",
    ]);
    assert.match(findingOf(own, "permissions").advice, /--least-privilege/);
    assert.deepEqual(foreign.verdicts.slice(1, 3), ["namespace warning", "documents failed"]);
    assert.match(
      findingOf(foreign, "documents").found,
      /^you don't have permission to create serviceaccounts in default, .*create deployments\.apps in default$/,
    );
  });

  it("finds which rights fluxd lacks, and what became of the sync for it", async () => {
    const [home, other] = [await makeNamespace(kube), await makeNamespace(kube)];
    const kubeconfigPath = await serviceAccountKubeconfig({ plane, kube, folder }, home);
    await allowAll(kube, home, home);
    await using repository = await TestRepository.create({
      "a.yaml": configMap("mine", "v1", home),
      "b.yaml": configMap("not-mine", "v1", other),
      "role.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: refused}\n",
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath,
      flags: [`--k8s-allow-namespace=${home},${other}`, "--sync-garbage-collection"],
    });

    const checked = await checkUntil(fluxd, "sync", "failed");

    const { verdict, found, advice } = findingOf(checked, "permissions");
    assert.equal(verdict, "failed");
    assert.ok(found.startsWith("fluxd doesn't have permission to "), found);
    assert.ok(found.includes(`get, create, patch, delete configmaps in ${other}`), found);
    assert.ok(found.includes("get, create, patch, delete clusterroles.rbac.authorization.k8s.io"), found);
    assert.ok(!found.includes(` in ${home}`), found);
    assert.match(advice, /--least-privilege/);
    assert.match(findingOf(checked, "sync").found, /clusterrole\/refused: .*forbidden/s);
  });
});
