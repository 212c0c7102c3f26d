import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Finding } from "@weir/base";
import { encodeFluxError, unknownEndpointError } from "@weir/flux/api";
import {
  type BorrowedControlPlane,
  borrowControlPlane,
  KubeEyes,
  kubeObject,
  lacks,
  makeNamespace,
  TempFolder,
  until,
} from "@weir/testing";
import { kubeconfigFor, startClusterStandIn } from "../../support/cluster-stand-in.ts";
import { runFluxctl } from "../../support/fluxctl.ts";
import { Fluxd, type FluxdOptions } from "../../support/fluxd.ts";
import { configMap, deployment } from "../../support/manifests.ts";
import { TestRepository } from "../../support/repository.ts";
import { ScriptedApi } from "../../support/scripted-api.ts";
import { allowAll, serviceAccountKubeconfig } from "../../support/service-account.ts";

interface Checked {
  readonly exit: number;
  readonly stderr: string;
  readonly findings: readonly Finding[];
  /** "subject verdict" of each. */
  readonly verdicts: readonly string[];
}

async function check(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Checked> {
  const { exit, stdout, stderr } = await runFluxctl(["check", "-o", "json", ...args], env);
  const findings = JSON.parse(stdout) as readonly Finding[];
  return { exit, stderr, findings, verdicts: findings.map((each) => `${each.subject} ${each.verdict}`) };
}

/** What was found of one thing. */
function findingOf({ findings }: Checked, subject: string): Finding {
  const found = findings.find((each) => each.subject === subject);
  assert.ok(found, `nothing was found of ${subject}: ${JSON.stringify(findings)}`);
  return found;
}

describe("fluxctl check", { skip: lacks("Go") }, () => {
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

  function started(options: Partial<FluxdOptions> & Pick<FluxdOptions, "gitUrl">): Promise<Fluxd> {
    return Fluxd.start({ kubeconfigPath: plane.kubeconfigPath, ...options });
  }

  /** Checks by the API of a fluxd until a finding is as it should be, or time is up. */
  async function checkUntil(fluxd: Fluxd, subject: string, verdict: Finding["verdict"]): Promise<Checked> {
    await fluxd.ready();
    let checked: Checked | undefined;
    await until(`${subject} to have ${verdict}`, async () => {
      checked = await check([], { FLUX_URL: fluxd.apiUrl });
      return checked.verdicts.includes(`${subject} ${verdict}`);
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}; found: ${JSON.stringify(checked?.findings)}`, { cause: error });
    });
    assert.ok(checked);
    return checked;
  }

  describe("--pre", () => {
    it("finds that an administrator may install fluxd", async () => {
      const admin = { KUBECONFIG: plane.kubeconfigPath };

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

    it("finds what somebody may not", async () => {
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
    it("tells that there is none", async () => {
      const { exit, verdicts } = await check([], { KUBECONFIG: plane.kubeconfigPath });

      assert.deepEqual([exit, verdicts], [1, ["cluster passed", "pod failed"]]);
    });

    it("tells what keeps it from running", async () => {
      const namespace = await makeNamespace(kube);
      const path = `/api/v1/namespaces/${namespace}/pods`;
      await kube.create(
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
      await kube.patch(`${path}/flux-1/status`, {
        status: { phase: "Pending", containerStatuses: [{ ...container, state: { waiting } }] },
      });

      const checked = await check([`--k8s-fwd-ns=${namespace}`], { KUBECONFIG: plane.kubeconfigPath });

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

  it("finds a branch that is not there", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("check-branch") });
    await using fluxd = await started({ gitUrl: repository.url, flags: ["--git-branch=elsewhere"] });

    const checked = await checkUntil(fluxd, "git read", "failed");

    assert.match(findingOf(checked, "git read").found, /branch elsewhere doesn't exist$/);
    assert.match(findingOf(checked, "git read").advice, /--git-branch/);
  });

  it("finds a repository that may only be read, from the beginning and later on", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("check-readonly") });
    const lock = () => refusePushes(repository);
    await using later = await started({ gitUrl: repository.url });
    await checkUntil(later, "git write", "passed");
    await lock();
    await using early = await started({ gitUrl: repository.url });

    for (const fluxd of [early, later]) {
      const checked = await checkUntil(fluxd, "git write", "failed");

      assert.equal(checked.exit, 1);
      assert.equal(findingOf(checked, "git read").verdict, "passed");
      assert.match(findingOf(checked, "git write").found, /^cannot write to .*marked as read only/);
      assert.match(findingOf(checked, "git write").advice, /deploy key write.*--git-readonly/s);
    }
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
    await using fluxd = await started({
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

  it("finds a registry and a memcached that cannot be reached", async () => {
    const image = "127.0.0.1:1/app:1";
    await using repository = await TestRepository.create({ "a.yaml": deployment("check-image", image) });
    await kube.create(
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

  it("finds nobody where a URL leads to nobody", async () => {
    const checked = await check([], { FLUX_URL: "http://127.0.0.1:1/api/flux" });

    assert.deepEqual([checked.exit, checked.verdicts], [1, ["API failed"]]);
    assert.match(findingOf(checked, "API").found, /connection refused/);
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

  it("tells what it can be asked for", async () => {
    await using api = await flux(config, ["0123"]);

    const checked = await check([], { FLUX_URL: api.url });

    assert.equal(checked.exit, 0);
    assert.deepEqual(checked.verdicts, ["API passed", "git passed", "sync warning"]);
    assert.equal(findingOf(checked, "API").found, "fluxd 1.25.4 responds");
  });

  it("shows the key that the git host has to know", async () => {
    await using api = await flux({ ...config, status: "new", errors: "Permission denied (publickey)" });

    const checked = await check([], { FLUX_URL: api.url });

    assert.deepEqual([checked.exit, checked.verdicts], [1, ["API passed", "git failed"]]);
    assert.match(findingOf(checked, "git").advice, /\nssh-rsa AAAA flux$/);
  });

  for (const [granted, verdict] of [
    ["system:serviceaccount:flux:flux", "passed"],
    ["system:serviceaccounts:flux", "passed"],
    ["system:serviceaccount:flux:other", "warning"],
  ] as const) {
    it(`asks the cluster what it may do, through which it is found: everything, as ${granted}`, async () => {
      await using api = await flux(config);
      const pod = {
        metadata: { name: "flux-1" },
        spec: { serviceAccountName: "flux" },
        status: { containerStatuses: [{ ready: true, image: "fluxcd/flux:1.25.4" }] },
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
