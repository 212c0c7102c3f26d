import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { it } from "node:test";
import type { JsonValue } from "@weir/base";
import { type CommitAnswer, decodeWhy, type ImageAnswer, type ResourceAnswer } from "@weir/flux/api";
import type { KubeObject } from "@weir/kube";
import {
  configMapPath,
  dedent,
  describeOnEachCluster,
  freePort,
  makeNamespace,
  TempFolder,
  until,
} from "@weir/testing";
import { encryptedFile, sopsKeys } from "../support/encrypted-files.ts";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { GnuPg } from "../support/gnupg.ts";
import { KnownImages } from "../support/known-images.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { OwnFluxd } from "../support/own-fluxd.ts";
import { serveRegistry } from "../support/registry-stand-in.ts";
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

/** The causes by kind, and the messages. */
function causesOf({ causes }: Pick<ResourceAnswer, "causes">): readonly (readonly [string, string])[] {
  return causes.map(({ kind, message }) => [kind, message]);
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

describeOnEachCluster("fluxctl why", (cluster) => {
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

  it("says that an object was deleted, and who made what isn't in git", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({ "a.yaml": configMap("a", "v1", namespace) });
    await using fluxd = await start(repository);
    await firstSync(repository);
    await cluster.kube.delete(configMapPath("a", namespace));
    await cluster.kube.create(`/api/v1/namespaces/${namespace}/configmaps`, {
      metadata: {
        name: "made",
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-1", uid: "1", controller: true },
        ],
      },
    });

    const gone = await whyResource(fluxd, "cm/a", "-n", namespace);
    const made = await whyResource(fluxd, "configmap/made", "-n", namespace);
    const place = await whyResource(fluxd, `namespace/${namespace}`);

    assert.deepEqual([kindsOf(gone), gone.live], [["missing"], undefined]);
    assert.match(gone.verdict, /is in git, but not in the cluster: it was deleted in the cluster/);
    assert.deepEqual([kindsOf(made), made.git], [["owned"], undefined]);
    assert.deepEqual(commandsOf(made), [`fluxctl why ${namespace}:replicaset/web-1`]);
    assert.deepEqual([kindsOf(place), place.subject], [["not-in-git"], `<cluster>:namespace/${namespace}`]);
  });

  it("says why something in git isn't applied", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({
      "refused.yaml": dedent(`
        apiVersion: v1
        kind: Service
        metadata: { name: refused, namespace: ${namespace} }
        spec: { ports: [{ port: 700000 }] }
      `),
      "kind.yaml": dedent(`
        apiVersion: example.test/v1
        kind: Widget
        metadata: { name: odd, namespace: ${namespace} }
      `),
      "ignored.yaml": workload("ignored", namespace, { "fluxcd.io/ignore": "true" }),
      "left.yaml": configMap("left", "v1", namespace),
      "helm.yaml": configMap("helm", "v1", namespace),
    });
    await cluster.kube.create(`/api/v1/namespaces/${namespace}/configmaps`, {
      metadata: {
        name: "helm",
        labels: { "app.kubernetes.io/managed-by": "Helm" },
        annotations: { "meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": namespace },
      },
    });
    await using fluxd = await start(repository);
    await firstSync(repository);
    await cluster.kube.patch(configMapPath("left", namespace), {
      metadata: { annotations: { "fluxcd.io/ignore": "true" } },
      data: { key: "mine" },
    });
    const asked = async (name: string) => whyResource(fluxd, name, "-n", namespace);

    const refused = await asked("service/refused");
    const odd = await asked("widget/odd");
    const ignored = await asked("deployment/ignored");
    const left = await until("the annotation to be seen", async () => {
      const found = await asked("configmap/left");
      return kindsOf(found)[0] === "ignored-live" && found;
    });
    const helm = await asked("configmap/helm");

    assert.deepEqual(
      [kindsOf(refused), kindsOf(odd), kindsOf(ignored), kindsOf(helm)],
      [["refused"], ["no-such-kind"], ["ignored"], ["foreign"]],
    );
    assert.match(
      refused.causes[0]?.message ?? "",
      /the API server refuses it: .*700000.*must be between 1 and 65535/,
    );
    assert.match(
      ignored.causes[0]?.message ?? "",
      /the annotation fluxcd\.io\/ignore in ignored\.yaml says so/,
    );
    assert.deepEqual(commandsOf(left), [`kubectl annotate -n ${namespace} configmap/left fluxcd.io/ignore-`]);
    assert.match(helm.causes[0]?.message ?? "", /Helm/);
    assert.equal(helm.status, "Ignored");
  });

  it("says why something that is no longer in git is still there", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const careful = configMap("dear", "v1", namespace).replace(
      "\ndata:",
      "\n  annotations: { weir.dev/sync-options: Prune=confirm }\ndata:",
    );
    const files = {
      "stays.yaml": configMap("stays", "v1", namespace),
      "dear.yaml": careful,
      "a.yaml": configMap("a", "v1", namespace),
      "b.yaml": configMap("b", "v1", namespace),
    };
    await using repository = await TestRepository.create(files);
    await using fluxd = await start(repository, "--sync-garbage-collection", "--sync-prune-limit=1");
    await firstSync(repository);
    const head = await repository.push({ "dear.yaml": null, "a.yaml": null, "b.yaml": null }, "drop them");
    assert.equal((await fluxctl(fluxd, "sync")).code, 0);

    const dear = await whyResource(fluxd, "configmap/dear", "-n", namespace);
    const many = await whyResource(fluxd, "configmap/a", "-n", namespace);

    assert.deepEqual(
      [kindsOf(dear), commandsOf(dear)],
      [["unconfirmed"], [`fluxctl confirm ${namespace}:configmap/dear`]],
    );
    assert.deepEqual(
      [kindsOf(many), commandsOf(many)],
      [["prune-limit"], ["fluxctl confirm", `fluxctl confirm --prune ${head.slice(0, 12)}`]],
    );
    assert.equal(many.git, undefined);
  });

  it("says what a sync waits for", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const hook = dedent(`
      apiVersion: v1
      kind: Pod
      metadata: { name: migrate, namespace: ${namespace}, annotations: { weir.dev/hook: PreSync } }
      spec: { restartPolicy: Never, containers: [{ name: main, image: "example.test/migrate:1" }] }
    `);
    await using repository = await TestRepository.create({
      "hook.yaml": hook,
      "a.yaml": configMap("a", "v1", namespace),
    });
    await using fluxd = await start(repository);
    await fluxd.logged(`info="waiting until resources are ready"`);

    const waits = await whyResource(fluxd, "configmap/a", "-n", namespace);
    const awaited = await whyResource(fluxd, "pod/migrate", "-n", namespace);

    assert.deepEqual([waits.sync.state, waits.sync.waitingFor], ["waiting", [`${namespace}:pod/migrate`]]);
    assert.deepEqual(
      [kindsOf(waits)[0], commandsOf(waits)[0]],
      ["waiting", `fluxctl why ${namespace}:pod/migrate`],
    );
    assert.deepEqual(causesOf(awaited)[0]?.[0], "waited-for");
    assert.match(awaited.causes[0]?.message ?? "", /waits until this PreSync hook is ready/);
  });

  it("says which file keeps everything from being synced, and that git can't be reached", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({ "a.yaml": configMap("a", "v1", namespace) });
    await using fluxd = await start(repository);
    await firstSync(repository);
    const before = await repository.synced();
    await repository.push(
      { "broken.yaml": "kind: [", "a.yaml": configMap("a", "v2", namespace) },
      "break it",
    );
    await fluxctl(fluxd, "sync", "--timeout=3s");

    const broken = await whyResource(fluxd, "configmap/a", "-n", namespace);

    assert.deepEqual(kindsOf(broken), ["manifests"]);
    assert.match(
      broken.causes[0]?.message ?? "",
      new RegExp(`nothing newer than ${before.slice(0, 12)} .*broken.yaml`),
    );
    assert.equal(broken.git?.source, "a.yaml");

    await repository.push({ "broken.yaml": null }, "repair it");
    const pending = await whyResource(fluxd, "configmap/a", "-n", namespace);
    await rename(repository.bare, `${repository.bare}-away`);
    const away = await whyResource(fluxd, "configmap/a", "-n", namespace);
    await rename(`${repository.bare}-away`, repository.bare);

    assert.ok(
      kindsOf(pending).some((kind) => kind === "sync-failed" || kind === "sync-pending"),
      pending.verdict,
    );
    assert.equal(kindsOf(away)[0], "fetch-failed");
  });

  it("says that a file is in quarantine, and that a namespace isn't fluxd's", async () => {
    const [namespace, elsewhere] = [await makeNamespace(cluster.kube), await makeNamespace(cluster.kube)];
    await using repository = await TestRepository.create({
      "a.yaml": configMap("a", "v1", namespace),
      "elsewhere.yaml": configMap("elsewhere", "v1", elsewhere),
    });
    await using fluxd = await start(repository, "--sync-quarantine", `--k8s-allow-namespace=${namespace}`);
    await firstSync(repository);
    await repository.push({ "a.yaml": `${configMap("a", "v2", namespace)}---\nkind: [\n` }, "break it");
    await fluxctl(fluxd, "sync");

    const excluded = await whyResource(fluxd, `${elsewhere}:configmap/elsewhere`);
    const held = await whyResource(fluxd, `${namespace}:configmap/a`);

    assert.deepEqual([kindsOf(excluded), excluded.live], [["excluded"], undefined]);
    assert.ok(["held-back", "sync-pending", undefined].includes(kindsOf(held)[0]), held.verdict);
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
      ["tab", "wide", "json", "yaml", "name"].flatMap((format) => [
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

  it("says that a registry can't be scanned", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const host = `127.0.0.1:${await freePort()}`;
    const files = { "web.yaml": workload("web", namespace).replace("example.test", host) };
    await using repository = await TestRepository.create(files);
    await using fluxd = await start(
      repository,
      "--registry-disable-scanning=false",
      `--registry-insecure-host=${host}`,
      "--memcached-service=",
      "--memcached-hostname=",
    );
    await firstSync(repository);

    const report = await until("the scan to fail", async () => {
      await fluxd.notifyImage(host, "app");
      const found = await whyResource(fluxd, "deployment/web", "-n", namespace);
      return kindsOf(found).includes("scan-error") && found;
    });
    const image = await whyImage(fluxd, `${host}/app`);

    const told = report.causes.find(({ kind }) => kind === "scan-error");
    assert.match(told?.message ?? "", new RegExp(`fluxd cannot scan ${host}/app: .*(refused|ECONNREFUSED)`));
    assert.equal(image.scan.state, "failed");
  });

  it("says that a registry can't be scanned anymore, and still what is known of it", async () => {
    const namespace = await makeNamespace(cluster.kube);
    let isDown = false;
    await using registry = await serveRegistry((_request, response) => {
      if (isDown) {
        response.writeHead(503).end();
      }
      return isDown;
    });
    const { host } = registry;
    const files = {
      "web.yaml": workload("web", namespace).replace(/image: .*/, `image: ${host}/app:1`),
    };
    await using repository = await TestRepository.create(files);
    await using fluxd = await start(
      repository,
      "--registry-disable-scanning=false",
      `--registry-insecure-host=${host}`,
      "--memcached-service=",
      "--memcached-hostname=",
    );
    await firstSync(repository);
    const scanned = await until("the scan", async () => {
      await fluxd.notifyImage(host, "app");
      const found = await whyImage(fluxd, `${host}/app`);
      return found.scan.state === "scanned" && found;
    });

    isDown = true;
    const stale = await until("the failure", async () => {
      await fluxd.notifyImage(host, "app");
      const found = await whyResource(fluxd, "deployment/web", "-n", namespace);
      return kindsOf(found).includes("scan-stale") && found;
    });

    const image = await whyImage(fluxd, `${host}/app`);
    assert.deepEqual([scanned.scan.tags, image.scan.tags, image.scan.state], [1, 1, "stale"]);
    const told = stale.causes.find(({ kind }) => kind === "scan-stale");
    assert.match(told?.message ?? "", new RegExp(`the last scan of ${host}/app failed, .*503`));
  });

  it("says that git isn't ready", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({ "a.yaml": configMap("a", "v1", namespace) });
    await cluster.kube.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: "a" } });
    await using fluxd = await start(repository, "--git-branch=nonsense");

    const unready = await until("fluxd to know", async () => {
      const found = await whyResource(fluxd, "configmap/a", "-n", namespace);
      return found.causes.some(({ message }) => message.includes("nonsense")) && found;
    });

    assert.deepEqual([kindsOf(unready)[0], commandsOf(unready)[0]], ["git-not-ready", "fluxctl check"]);
  });

  it("says that fluxd deletes nothing, because it may not, or because a file can't be read", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({
      "stays.yaml": configMap("stays", "v1", namespace),
      "gone.yaml": configMap("gone", "v1", namespace),
    });
    const askWhy = async (fluxd: Fluxd) => {
      const revision = await repository.upstream("rev-parse", "master");
      await until("the sync", async () => (await repository.synced()) === revision);
      return whyResource(fluxd, "configmap/gone", "-n", namespace);
    };
    await using fluxd = await start(repository);
    await firstSync(repository);
    await repository.push({ "gone.yaml": null }, "drop it");
    await fluxctl(fluxd, "sync");

    const off = await askWhy(fluxd);
    await fluxd[Symbol.asyncDispose]();
    await repository.push({ "broken.yaml": "kind: [" }, "break it");
    await using collecting = await start(repository, "--sync-garbage-collection", "--sync-quarantine");
    const unread = await askWhy(collecting);

    assert.deepEqual(
      [off.git, kindsOf(off), commandsOf(off)],
      [undefined, ["prune-off"], [`kubectl delete -n ${namespace} configmap/gone`]],
    );
    assert.deepEqual([kindsOf(unread), commandsOf(unread)], [["prune-off"], ["fluxctl check"]]);
    assert.match(unread.causes[0]?.message ?? "", /deletes nothing while a file in git cannot be read/);
  });

  it("says which wave a sync waits for, and that a manifest isn't an object", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const later = configMap("later", "v1", namespace).replace(
      "\ndata:",
      '\n  annotations: { weir.dev/sync-wave: "1" }\ndata:',
    );
    await using repository = await TestRepository.create({
      "broken.yaml": configMap("broken", ".inf", namespace),
      "later.yaml": later,
      "pod.yaml": dedent(`
        apiVersion: v1
        kind: Pod
        metadata: { name: never, namespace: ${namespace} }
        spec: { containers: [{ name: main, image: "example.test/never:1" }] }
      `),
    });
    await using fluxd = await start(repository);
    await fluxd.logged(`info="waiting until resources are ready"`);

    const broken = await whyResource(fluxd, "configmap/broken", "-n", namespace);
    const waits = await whyResource(fluxd, "configmap/later", "-n", namespace);
    const awaited = await whyResource(fluxd, "pod/never", "-n", namespace);

    assert.ok(kindsOf(broken).includes("broken"), JSON.stringify(causesOf(broken)));
    assert.deepEqual(causesOf(waits)[0], [
      "waiting",
      `the sync waits until ${namespace}:pod/never, of an earlier wave or phase, is ready. This is in wave 1.`,
    ]);
    assert.match(
      causesOf(awaited)[0]?.join(": ") ?? "",
      /^waited-for: the sync waits until this resource of wave 0 is ready/,
    );
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

  it("says that syncing is suspended, by whom, and why", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({ "a.yaml": configMap("a", "v1", namespace) });
    await using fluxd = await start(repository);
    await firstSync(repository);
    const suspend = await fluxctl(fluxd, "suspend", "sync", "--user=Ann", "--reason=a freeze");
    assert.equal(suspend.code, 0, suspend.stderr);
    const revision = await repository.push({ "a.yaml": configMap("a", "v2", namespace) }, "change it");

    const resource = await whyResource(fluxd, "configmap/a", "-n", namespace);
    const commit = await whyCommit(fluxd, revision);

    assert.deepEqual([kindsOf(resource), kindsOf(commit)], [["suspended"], ["suspended"]]);
    assert.equal(resource.causes[0]?.message, "syncing is suspended by Ann because: a freeze");
    assert.deepEqual(commandsOf(commit), ["fluxctl resume sync"]);
  });

  it("says which commit isn't signed", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using gnupg = await GnuPg.with("flux");
    using keys = new TempFolder();
    const flux = gnupg.git("flux");
    const files = { "a.yaml": configMap("a", "v1", namespace) };
    await using repository = await TestRepository.create(files, flux);
    await using fluxd = await start(
      repository,
      "--git-verify-signatures",
      `--git-gpg-key-import=${keys.write("keys/flux.asc", await gnupg.secretKey("flux"))}`,
      "--git-signing-key=flux@example.test",
    );
    await firstSync(repository);
    const bad = await repository.push({ "a.yaml": configMap("a", "v2", namespace) }, "unsigned");
    await fluxctl(fluxd, "sync");

    const commit = await whyCommit(fluxd, bad);
    const resource = await whyResource(fluxd, "configmap/a", "-n", namespace);

    assert.deepEqual([commit.verified, commit.isSynced, kindsOf(commit)], ["no", false, ["unverified"]]);
    assert.match(commit.verdict, /is not synced: it is not verified/);
    assert.deepEqual(kindsOf(resource), ["unverified"]);
    assert.match(
      resource.causes[0]?.message ?? "",
      new RegExp(`commit ${bad.slice(0, 12)} by Dev .* no good signature`),
    );
  });
});
