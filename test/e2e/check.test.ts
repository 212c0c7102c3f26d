import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { encodeFluxError, unknownEndpointError } from "@weir/flux/api";
import { describeOnEmbeddedCluster, kubeObject, makeNamespace, TempFolder } from "@weir/testing";
import { kubeconfigFor, startClusterStandIn } from "../support/cluster-stand-in.ts";
import { runFluxctl } from "../support/fluxctl.ts";
import { check, checkUntil, findingOf } from "../support/fluxctl-check.ts";
import { Fluxd, type FluxdOptions } from "../support/fluxd.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";
import { ScriptedApi } from "../support/scripted-api.ts";

describeOnEmbeddedCluster("fluxctl check", {}, (cluster) => {
  function started(options: Partial<FluxdOptions> & Pick<FluxdOptions, "gitUrl">): Promise<Fluxd> {
    return Fluxd.start({ kubeconfigPath: cluster.kubeconfigPath, ...options });
  }

  describe("--pre", () => {
    it("finds that an administrator may install fluxd", async () => {
      const admin = { KUBECONFIG: cluster.kubeconfigPath };

      const there = await check(["--pre"], admin);
      const notThere = await check(["--pre", "--namespace=not-there"], admin);

      assert.deepEqual([there.exit, notThere.exit], [0, 0]);
      assert.deepEqual(there.verdicts, [
        "cluster passed",
        "namespace passed",
        "documents passed",
        "permissions passed",
      ]);
      assert.match(findingOf(there, "cluster").found, /^Kubernetes v1\.\d+\.\d+ responds at https:/);
      assert.equal(findingOf(notThere, "namespace").verdict, "warning");
      assert.match(findingOf(notThere, "namespace").advice, /--create-namespace/);
    });

    it("finds no cluster where there is none", async () => {
      const { exit, findings, stderr } = await check(["--pre"], { KUBECONFIG: "/nonexistent" });

      assert.equal(exit, 1);
      assert.deepEqual(
        findings.map(({ subject, verdict }) => [subject, verdict]),
        [["cluster", "failed"]],
      );
      assert.equal(stderr, "1 of 1 checks failed\n");
    });
  });

  describe("of a pod", () => {
    it("tells what keeps it from running", async () => {
      const namespace = await makeNamespace(cluster.kube);
      const path = `/api/v1/namespaces/${namespace}/pods`;
      await cluster.kube.create(
        path,
        kubeObject`
          apiVersion: v1
          kind: Pod
          metadata: {name: flux-1, labels: {name: flux}}
          spec: {containers: [{name: flux, image: example.test/none:1}]}
        `,
      );
      const waiting = { reason: "ImagePullBackOff", message: "no such image" };
      const container = { name: "flux", image: "x", imageID: "", ready: false, restartCount: 0 };
      await cluster.kube.patch(`${path}/flux-1/status`, {
        status: { phase: "Pending", containerStatuses: [{ ...container, state: { waiting } }] },
      });

      const checked = await check([`--k8s-fwd-ns=${namespace}`], { KUBECONFIG: cluster.kubeconfigPath });

      assert.equal(checked.exit, 1);
      assert.equal(
        findingOf(checked, "pod").found,
        "pod flux-1 is not running: ImagePullBackOff: no such image",
      );
    });
  });

  it("finds nothing wrong where nothing is", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("check-well") });
    await using fluxd = await started({ gitUrl: repository.url });

    const checked = await checkUntil(fluxd, "sync", "passed");

    assert.equal(checked.exit, 0);
    assert.deepEqual(checked.verdicts, [
      "API passed",
      "git read passed",
      "git write passed",
      "sync passed",
      "permissions passed",
      "registry passed",
    ]);
    assert.equal(await repository.upstream("tag", "--list", "*write-check*"), "");
    const text = await runFluxctl(["check"], { FLUX_URL: fluxd.apiUrl });
    assert.match(text.stdout, /^passed {3}API {10}fluxd \S+ responds\n/);
  });

  it("finds a git URL that leads nowhere", async () => {
    await using fluxd = await started({ gitUrl: "file:///nonexistent/nowhere.git" });

    const checked = await checkUntil(fluxd, "git read", "failed");

    assert.equal(checked.exit, 1);
    assert.match(
      findingOf(checked, "git read").found,
      /^cannot read file:\/\/\/nonexistent\/nowhere\.git: fatal: '\/nonexistent\/nowhere\.git' does not appear to be/,
    );
    assert.match(findingOf(checked, "git read").advice, /^check --git-url/);
    assert.equal(findingOf(checked, "sync").verdict, "warning");
  });

  it("finds a repository that may only be read", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("check-readonly") });
    await using fluxd = await started({ gitUrl: repository.url });
    await checkUntil(fluxd, "git write", "passed");
    await refusePushes(repository);

    const checked = await checkUntil(fluxd, "git write", "failed");

    assert.equal(checked.exit, 1);
    assert.equal(findingOf(checked, "git read").verdict, "passed");
    assert.match(findingOf(checked, "git write").found, /^cannot write to .*marked as read only/);
    assert.match(findingOf(checked, "git write").advice, /deploy key write.*--git-readonly/s);
  });

  it("finds a registry and a memcached that cannot be reached", async () => {
    const image = "127.0.0.1:1/app:1";
    await using repository = await TestRepository.create({ "a.yaml": deployment("check-image", image) });
    await cluster.kube.create(
      "/apis/apps/v1/namespaces/default/deployments",
      kubeObject`
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: check-image, namespace: default}
      spec:
        selector: {matchLabels: {app: check-image}}
        template:
          metadata: {labels: {app: check-image}}
          spec: {containers: [{name: main, image: "${image}"}]}
    `,
    );
    await using fluxd = await started({
      gitUrl: repository.url,
      flags: ["--registry-disable-scanning=false", "--memcached-hostname=127.0.0.1", "--memcached-port=1"],
    });

    const checked = await checkUntil(fluxd, "registry", "failed");

    assert.equal(checked.exit, 1);
    assert.match(findingOf(checked, "registry").found, /^cannot scan .*127\.0\.0\.1:1\/app.*ECONNREFUSED/);
    assert.equal(findingOf(checked, "image cache").verdict, "warning");
    assert.match(
      findingOf(checked, "image cache").advice,
      /set --memcached-hostname= to run without memcached$/,
    );
  });
});

describe("fluxctl check of a Flux v1", () => {
  const notSupported = { status: 404, json: encodeFluxError(unknownEndpointError("/v12/check")) };
  const config = {
    remote: { url: "ssh://git@example.test/r", branch: "main", path: "" },
    publicSSHKey: { key: "ssh-rsa AAAA flux\n", fingerprints: null },
    status: "ready",
    errors: "",
  };

  function flux(git: object, waiting: readonly string[] = []): Promise<ScriptedApi> {
    return ScriptedApi.start(({ line }) => {
      switch (line) {
        case "GET /v11/version":
          return { json: "1.25.4" };
        case "POST /v9/git-repo-config":
          return { json: git };
        case "GET /v6/sync?ref=HEAD":
          return { json: waiting };
        default:
          return notSupported;
      }
    });
  }

  for (const [granted, verdict] of [
    ["system:serviceaccount:flux:flux", "passed"],
    ["system:serviceaccount:flux:other", "warning"],
  ] as const) {
    it(`asks the cluster what it may do, through which it is found: everything, as ${granted}`, async () => {
      await using api = await flux(config);
      const pod = {
        metadata: { name: "flux-1" },
        spec: { serviceAccountName: "flux" },
        status: { containerStatuses: [{ ready: true, restartCount: 0, image: "fluxcd/flux:1.25.4" }] },
      };
      await using cluster = await startClusterStandIn(
        () => ["flux-1"],
        api.port,
        (line, body) =>
          new Map<string, object>([
            ["GET /version", { gitVersion: "v1.30.0" }],
            ["GET /api/v1/namespaces/flux/pods", { items: [pod] }],
            [
              "POST /apis/authorization.k8s.io/v1/subjectaccessreviews",
              { status: { allowed: body.includes(`"${granted}"`) } },
            ],
          ]).get(line),
      );
      using folder = new TempFolder();
      const env = { KUBECONFIG: folder.write("config", kubeconfigFor(cluster.url)), HOME: folder.path };

      const checked = await check(["--k8s-fwd-ns=flux"], env);

      assert.equal(checked.exit, 0);
      assert.deepEqual(checked.verdicts, [
        "cluster passed",
        "pod passed",
        "API passed",
        "git passed",
        "sync passed",
        `permissions ${verdict}`,
      ]);
      assert.match(findingOf(checked, "permissions").found, /^system:serviceaccount:flux:flux /);
    });
  }
});

/** Lets a repository be read only, as a host does with a deploy key that may not write. */
async function refusePushes(repository: TestRepository): Promise<void> {
  const hook = join(repository.bare, "hooks", "pre-receive");
  await writeFile(
    hook,
    "#!/bin/sh\necho 'ERROR: The key you are authenticating with has been marked as read only.' >&2\nexit 1\n",
  );
  await chmod(hook, 0o755);
}
