import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonValue } from "@weir/base";
import { type CommitAnswer, decodeWhy, type ImageAnswer, type ResourceAnswer } from "@weir/flux/api";
import type { KubeObject } from "@weir/kube";
import { dedent, describeOnEmbeddedCluster, makeNamespace, until } from "@weir/testing";
import { encryptedFile, sopsKeys } from "../support/encrypted-files.ts";
import { Fluxd } from "../support/fluxd.ts";
import { KnownImages } from "../support/known-images.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";

type Asked = Parameters<typeof fluxctl>[0];

async function ask(fluxd: Asked, ...args: readonly string[]) {
  const { code, stdout, stderr } = await fluxctl(fluxd, "why", "-o", "json", ...args);
  assert.equal(code, 0, stderr);
  return decodeWhy(JSON.parse(stdout) as JsonValue);
}

async function whyResource(fluxd: Asked, ...args: readonly string[]): Promise<ResourceAnswer> {
  const report = await ask(fluxd, ...args);
  assert.ok(report.kind === "resource", report.verdict);
  return report;
}

async function whyCommit(fluxd: Asked, ...args: readonly string[]): Promise<CommitAnswer> {
  const report = await ask(fluxd, ...args);
  assert.ok(report.kind === "commit", report.verdict);
  return report;
}

async function whyImage(fluxd: Asked, ...args: readonly string[]): Promise<ImageAnswer> {
  const report = await ask(fluxd, ...args);
  assert.ok(report.kind === "image", report.verdict);
  return report;
}

function kindsOf({ causes }: Pick<ResourceAnswer, "causes">): readonly string[] {
  return causes.map(({ kind }) => kind);
}

function commandsOf({ causes }: Pick<ResourceAnswer, "causes">): readonly string[] {
  return causes.flatMap(({ remedies }) => remedies.flatMap(({ command }) => command || []));
}

/** A Deployment in a namespace, with annotations. */
function workload(
  name: string,
  namespace: string,
  annotations: Readonly<Record<string, string>> = {},
): string {
  return deployment(name).replace(
    "  namespace: default\n",
    `  namespace: ${namespace}\n  annotations: ${JSON.stringify(annotations)}\n`,
  );
}

/** A patch that changes the image and the variables of the first container. */
function withCanary(live: KubeObject | undefined): object {
  const spec = live?.spec as { readonly template?: { readonly spec?: { readonly containers?: object[] } } };
  const [first = {}, ...others] = spec.template?.spec?.containers ?? [];
  const env = [{ name: "CANARY", value: "canary" }];
  return {
    spec: {
      template: { spec: { containers: [{ ...first, image: "example.test/other:9", env }, ...others] } },
    },
  };
}

async function firstSync(repository: TestRepository): Promise<void> {
  await until("the first sync", async () => (await repository.synced()) !== "");
}

describeOnEmbeddedCluster("fluxctl why", {}, (cluster) => {
  function start(repository: TestRepository, ...flags: readonly string[]): Promise<Fluxd> {
    return Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath, flags });
  }

  it("says what git wants and since when, what is live, and who changed it", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const web = workload("web", namespace, { "fluxcd.io/tag.main": "glob:1.*" });
    const files = { "apps/web.yaml": `# The shop\n---\n${web}---\n${configMap("other", "v1", namespace)}` };
    await using repository = await TestRepository.create(files);
    const author = { config: ["user.name=Ann", "user.email=ann@x.test"] };
    const scaled = await repository.push(
      { "apps/web.yaml": files["apps/web.yaml"].replace("replicas: 1", "replicas: 2") },
      "Scale the shop\n\nIt is Monday.",
      author,
    );
    const head = await repository.push(
      {
        "apps/web.yaml": files["apps/web.yaml"]
          .replace("replicas: 1", "replicas: 2")
          .replace("key: v1", "key: v2"),
      },
      "another document",
    );
    await using fluxd = await start(repository);
    await until("the sync", async () => (await repository.synced()) === head);
    const asItIs = await whyResource(fluxd, "deployment/web", "-n", namespace);
    await cluster.kube.patch(`/apis/apps/v1/namespaces/${namespace}/deployments/web?fieldManager=mallory`, {
      spec: { replicas: 5 },
    });

    const drifted = await whyResource(fluxd, `${namespace}:deploy/web`);

    const { git, live, sync } = drifted;
    assert.deepEqual([git?.source, git?.line, git?.lastLine], ["apps/web.yaml", 3, 21]);
    assert.deepEqual(git?.containers, [{ name: "main", image: "example.test/app:1" }]);
    assert.deepEqual(git.policies, { "tag.main": "glob:1.*" });
    assert.deepEqual(
      [git.commit?.revision, git.commit?.author, git.commit?.message, git.commit?.madeBy],
      [scaled, "Ann <ann@x.test>", "Scale the shop\n\nIt is Monday.", undefined],
    );
    assert.deepEqual(live?.containers, [{ name: "main", image: "example.test/app:1" }]);
    assert.deepEqual([live.apiVersion, live.replicas?.desired], ["apps/v1", 5]);
    assert.deepEqual([sync.head, sync.synced, sync.state], [head, head, "synced"]);
    assert.match(sync.at, /^\d{4}-.*Z$/);
    assert.deepEqual(
      kindsOf(asItIs).filter((kind) => kind !== "progressing"),
      [],
    );
    assert.equal(kindsOf(drifted)[0], "drift");
    assert.match(drifted.verdict, /is not as in git: it was changed in the cluster by mallory at /);
    assert.deepEqual(
      drifted.differences.map(({ path, git: wanted, live: found, writer }) => [
        path,
        wanted,
        found,
        writer?.manager,
        writer?.operation,
      ]),
      [["spec.replicas", "2", "5", "mallory", "Update"]],
    );

    const text = await fluxctl(fluxd, "why", "deployment/web", "-n", namespace);
    for (const line of [
      /^In git\n {2}apps\/web.yaml:3-21\n/m,
      new RegExp(
        `^  last changed in ${scaled.slice(0, 12)} by Ann <ann@x.test> at .* UTC: Scale the shop$`,
        "m",
      ),
      /^ {2}spec.replicas {2}git 2 {2}live 5 {2}live value by mallory \(Update, .* UTC\)$/m,
      /^What to do\n {2}fluxctl diff {2}# to see the change\n/m,
    ]) {
      assert.match(text.stdout, line);
    }
  });

  it("shows no value of a Secret, or of an encrypted file, whoever changed it", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const secret = dedent(`
      apiVersion: v1
      kind: Secret
      metadata: { name: pin, namespace: ${namespace} }
      stringData: { pin: "1234-secret" }
    `);
    await using repository = await TestRepository.create({
      "secret.yaml": secret,
      "sops.yaml": encryptedFile("a workload with a MAC of encrypted values only"),
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--sops"],
      env: { SOPS_AGE_KEY_FILE: sopsKeys.age },
    });
    await firstSync(repository);
    await cluster.kube.patch(`/api/v1/namespaces/${namespace}/secrets/pin?fieldManager=mallory`, {
      data: { pin: Buffer.from("4321-secret").toString("base64") },
    });
    const tree = JSON.parse((await fluxctl(fluxd, "tree", "-a", "-o", "json")).stdout) as {
      readonly resources: readonly { readonly id: string; readonly source: string }[];
    };
    const encrypted = tree.resources.find(({ source }) => source === "sops.yaml")?.id ?? "";
    const [, kind = "", name = ""] = /^default:([a-z]+)\/(.*)$/.exec(encrypted) ?? [];
    const place = `/apis/apps/v1/namespaces/default/${kind}s/${name}`;
    await cluster.kube.patch(`${place}?fieldManager=mallory`, withCanary(await cluster.kube.get(place)));

    const found = await whyResource(fluxd, "secret/pin", "-n", namespace);
    const hidden = await whyResource(fluxd, encrypted);
    const shown = await Promise.all(
      ["tab", "json", "yaml"].flatMap((format) => [
        fluxctl(fluxd, "why", `${namespace}:secret/pin`, "-o", format),
        fluxctl(fluxd, "why", encrypted, "-o", format),
      ]),
    );

    assert.deepEqual(
      found.differences.map(({ path, git, live, isHidden, writer }) => [
        path,
        git,
        live,
        isHidden,
        writer?.manager,
      ]),
      [["data.pin", "", "", true, "mallory"]],
    );
    assert.ok(hidden.differences.length > 0);
    assert.ok(hidden.differences.every(({ git, live, isHidden }) => git === "" && live === "" && isHidden));
    assert.ok((hidden.git?.line ?? 0) > 0);
    for (const { code, stdout, stderr } of shown) {
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stdout, /1234-sec|4321-sec|MTIzNC1|NDMyMS1|canary/);
    }
  });

  it("says what keeps an image from running, and why fluxd made a commit", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const images = new KnownImages({
      "example.test/app": {
        "1": "2020-01-01T00:00:00Z",
        "2": "2020-01-02T00:00:00Z",
        "3": "2020-01-03T00:00:00Z",
      },
    });
    await using repository = await TestRepository.create({
      "free.yaml": workload("free", namespace),
      "locked.yaml": workload("locked", namespace, { "fluxcd.io/automated": "true" }),
      "narrow.yaml": workload("narrow", namespace, { "fluxcd.io/tag.main": "regexp:^[12]$" }),
      "odd.yaml": workload("odd", namespace, { "fluxcd.io/automated": "true" }).replace("app:1", "unknown:1"),
    });
    await using fluxd = await OwnFluxd.start({
      repository,
      kubeconfigPath: cluster.kubeconfigPath,
      images,
      flags: ["--automation-interval=1h"],
    });
    const on = async (...args: readonly string[]): Promise<void> => {
      const { code, stderr } = await fluxctl(fluxd, ...args);
      assert.equal(code, 0, stderr);
    };
    await on("lock", "-n", namespace, "-w", "deployment/locked", "--user=Ann <ann@x.test>", "-m", "a freeze");
    await on(
      ...["release", "-n", namespace, "--workload=deployment/narrow", "--update-image=example.test/app:2"],
      ...["--user=Bob <bob@x.test>", "-m", "as planned"],
    );
    await on("sync");

    const free = await whyResource(fluxd, "deployment/free", "-n", namespace);
    const locked = await whyResource(fluxd, "deployment/locked", "-n", namespace);
    const narrow = await whyResource(fluxd, "deployment/narrow", "-n", namespace);
    const odd = await whyResource(fluxd, "deployment/odd", "-n", namespace);
    const image = await whyImage(fluxd, "app:3");

    const ofImages = (report: ResourceAnswer): readonly string[] =>
      report.causes.filter(({ concerns }) => concerns === "images").map(({ kind }) => kind);
    assert.deepEqual(ofImages(free), ["not-automated"]);
    assert.deepEqual(ofImages(locked), ["locked"]);
    assert.deepEqual(ofImages(narrow), ["filtered"]);
    assert.deepEqual(ofImages(odd), ["not-scanned"]);
    const lock = locked.causes.find(({ kind }) => kind === "locked");
    assert.match(
      lock?.message ?? "",
      /^locked by Ann <ann@x\.test> \(a freeze\): container main stays at 1 instead of 3$/,
    );
    assert.deepEqual(
      lock?.remedies.map(({ command }) => command),
      [`fluxctl unlock --workload=${namespace}:deployment/locked`],
    );
    assert.deepEqual(locked.git?.commit?.madeBy, {
      kind: "policy change",
      user: "Ann <ann@x.test>",
      message: "a freeze",
    });
    const release = narrow.git?.commit;
    assert.deepEqual(release?.madeBy, { kind: "release", user: "Bob <bob@x.test>", message: "as planned" });

    const uses = image.uses.filter(({ workload: id }) => id.startsWith(`${namespace}:`));
    assert.deepEqual(
      uses.map(({ workload: id, image: runs, outcome, causes }) => [
        id.slice(namespace.length + 1),
        runs,
        outcome,
        causes.map(({ kind }) => kind),
      ]),
      [
        ["deployment/free", "example.test/app:1", "stays", ["not-automated"]],
        ["deployment/locked", "example.test/app:1", "stays", ["locked"]],
        ["deployment/narrow", "example.test/app:2", "stays", ["filtered"]],
      ],
    );

    const commit = await whyCommit(fluxd, release.revision.slice(0, 8));
    assert.deepEqual([commit.isSynced, commit.isOnBranch, commit.verified], [true, true, "not required"]);
    assert.deepEqual(commit.changes, [
      { id: `${namespace}:deployment/narrow`, change: "changed", source: "narrow.yaml", error: "" },
    ]);
    assert.equal(commit.commit.madeBy?.kind, "release");
  });

  it("says what became of a commit, refusals included", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({ "a.yaml": configMap("a", "v1", namespace) });
    await using fluxd = await start(repository);
    await firstSync(repository);
    const bad = dedent(`
      apiVersion: v1
      kind: Service
      metadata: { name: bad, namespace: ${namespace} }
      spec: { ports: [{ port: 700000 }] }
    `);
    const first = await repository.synced();
    const refused = await repository.push({ "bad.yaml": bad, "a.yaml": null }, "add a Service");
    const pending = await whyCommit(fluxd, refused);
    assert.equal((await fluxctl(fluxd, "sync")).code, 0);
    const proposed = await repository.push({ "bad.yaml": null }, "a proposal");
    await repository.upstream("branch", "proposal", proposed);
    await repository.upstream("update-ref", "refs/heads/master", refused);

    const synced = await whyCommit(fluxd, refused.slice(0, 10));
    const proposal = await whyCommit(fluxd, "proposal");
    const oldest = await whyCommit(fluxd, first);

    assert.deepEqual(
      [pending.isSynced, kindsOf(pending), commandsOf(pending)],
      [false, ["sync-pending"], ["fluxctl sync"]],
    );
    assert.deepEqual([synced.isSynced, kindsOf(synced)], [true, ["refused"]]);
    assert.deepEqual(
      synced.changes.map(({ id, change, source, error }) => [id, change, source, error !== ""]),
      [
        [`${namespace}:configmap/a`, "removed", "a.yaml", false],
        [`${namespace}:service/bad`, "added", "bad.yaml", true],
      ],
    );
    assert.deepEqual([proposal.commit.revision, kindsOf(proposal)], [proposed, ["not-on-branch"]]);
    assert.deepEqual(
      oldest.changes.map(({ change }) => change),
      ["added"],
    );
    const text = await fluxctl(fluxd, "why", refused);
    assert.match(
      text.stdout,
      /^ {2}added {4}\S+:service\/bad {2,}bad\.yaml {2}The Service "bad" is invalid/m,
    );
  });
});
