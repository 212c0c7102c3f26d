import assert from "node:assert/strict";
import { it } from "node:test";
import type { KubeObject } from "@weir/kube";
import {
  configMapPath,
  dedent,
  describeOnEachCluster,
  kubeObject,
  makeNamespace,
  type TestCluster,
  until,
} from "@weir/testing";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { configMap } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";

/** A manifest that asks to be deleted only with a confirmation. */
function careful(name: string, namespace: string): string {
  return dedent(`
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${name}
      namespace: ${namespace}
      annotations: { argocd.argoproj.io/sync-options: Prune=confirm }
  `);
}

/** An object as Helm installs it. */
function ofHelm(name: string, namespace: string): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${name}
      namespace: ${namespace}
      labels: { app.kubernetes.io/managed-by: Helm }
      annotations: { meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: ${namespace} }
    data: { from: helm }
  `;
}

function start(cluster: TestCluster, repository: TestRepository, ...flags: readonly string[]) {
  const { kubeconfigPath } = cluster;
  return Fluxd.start({
    gitUrl: repository.url,
    kubeconfigPath,
    flags: ["--sync-garbage-collection", ...flags],
  });
}

/** Commits, and resolves to the revision when it's synced. */
async function commit(
  repository: TestRepository,
  fluxd: Fluxd,
  files: Readonly<Record<string, string | null>>,
): Promise<string> {
  const revision = await repository.push(files, "change");
  const { code, stderr } = await fluxctl(fluxd, "sync");
  assert.equal(code, 0, stderr);
  return revision;
}

async function firstSync(repository: TestRepository): Promise<void> {
  await until("the first sync", async () => (await repository.synced()) !== "");
}

/** How often the log says something. */
function count(fluxd: Fluxd, text: string): number {
  return fluxd.log.split(text).length - 1;
}

describeOnEachCluster("a safe sync", (cluster) => {
  const exists = async (name: string, namespace: string): Promise<boolean> =>
    (await cluster.kube.get(configMapPath(name, namespace))) !== undefined;

  it("deletes nothing that waits for a confirmation, and deletes it once somebody confirms", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({
      "a.yaml": configMap("stays", "v1", namespace),
      "dear.yaml": careful("dear", namespace),
      "other.yaml": careful("other", namespace),
    });
    await using fluxd = await start(cluster, repository);
    await firstSync(repository);

    const revision = await commit(repository, fluxd, { "dear.yaml": null, "other.yaml": null });
    await fluxctl(fluxd, "sync");

    const [dear, stays] = [`${namespace}:configmap/dear`, `${namespace}:configmap/stays`];
    assert.ok(await exists("dear", namespace));
    const told = "not deleting resources until that is confirmed with `fluxctl confirm`";
    assert.equal(count(fluxd, told), 1);
    const diff = await fluxctl(fluxd, "diff", "-o", "short");
    assert.match(diff.stdout, new RegExp(`leave +${dear} .*run \`fluxctl confirm ${dear}\``));
    const list = await fluxctl(fluxd, "confirm");
    assert.deepEqual(list.stdout.split("\n").slice(1), [`  ${dear}`, `  ${namespace}:configmap/other`, ""]);
    const refused = await fluxctl(fluxd, "confirm", dear, stays);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, new RegExp(`${stays}: not waiting for a confirmation`));
    assert.ok(await exists("dear", namespace));

    const confirmed = await fluxctl(
      fluxd,
      "confirm",
      "-n",
      namespace,
      "configmap/dear",
      "--user=Ann <ann@x.test>",
    );

    assert.deepEqual([confirmed.code, confirmed.stdout], [0, `${dear}\n`], confirmed.stderr);
    await until("the confirmed one to go", async () => !(await exists("dear", namespace)));
    assert.ok(await exists("other", namespace));
    const line = fluxd.log.split("\n").find((each) => each.includes("deletions confirmed"));
    assert.match(
      line ?? "",
      new RegExp(`^ts=.* user="Ann <ann@x.test>" revision=${revision} resources=${dear}$`),
    );
  });

  it("deletes nothing beyond the limit, unless somebody allows it for this revision", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const names = ["a", "b", "c", "d", "e"];
    await using repository = await TestRepository.create(
      Object.fromEntries(names.map((name) => [`${name}.yaml`, configMap(name, "v1", namespace)])),
    );
    await using fluxd = await start(cluster, repository, "--sync-prune-limit=25%");
    await firstSync(repository);

    const revision = await commit(repository, fluxd, { "c.yaml": null, "d.yaml": null, "e.yaml": null });

    for (const name of names) {
      assert.ok(await exists(name, namespace), name);
    }
    const told = "not deleting any resources, because they are more than --sync-prune-limit allows";
    await fluxctl(fluxd, "sync");
    assert.equal(count(fluxd, told), 1);
    const list = await fluxctl(fluxd, "confirm");
    const short = revision.slice(0, 12);
    assert.deepEqual(list.stdout.split("\n"), [
      `Not deleted, because 3 of 5 objects would be pruned, and the limit is 25%, which is 2. To delete all of them: fluxctl confirm --prune ${short}`,
      `  ${namespace}:configmap/c`,
      `  ${namespace}:configmap/d`,
      `  ${namespace}:configmap/e`,
      "",
    ]);
    const wrong = await fluxctl(fluxd, "confirm", "--prune", "0123456789ab");
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /not the revision that fluxd would sync now/);

    const allowed = await fluxctl(fluxd, "confirm", "--prune", short);

    assert.deepEqual(
      [allowed.code, allowed.stderr.split("\n")],
      [
        0,
        [
          `Confirmed. fluxd deletes these 3 resources with its next sync to ${short}, now.`,
          "Warning: fluxd forgets this when it restarts, because fluxd doesn't run in a pod.",
          "",
        ],
      ],
    );
    await until("the three to go", async () => !(await exists("e", namespace)));
    await until(
      "all of them",
      async () => !(await exists("c", namespace)) && !(await exists("d", namespace)),
    );
    assert.ok((await exists("a", namespace)) && (await exists("b", namespace)));
    const nothing = await fluxctl(fluxd, "confirm");
    assert.equal(nothing.stdout, `At ${short}: no deletion waits for a confirmation.\n`);
  });

  it("leaves alone what Helm manages, unless it's told to take it over", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    for (const name of ["theirs", "taken"]) {
      await cluster.kube.create(path, ofHelm(name, namespace));
    }
    const applied = ofHelm("applied", namespace);
    await cluster.kube.create(path, {
      ...applied,
      metadata: {
        ...applied.metadata,
        annotations: {
          ...applied.metadata.annotations,
          "kubectl.kubernetes.io/last-applied-configuration": "{}",
        },
      },
    });
    const taken = dedent(`
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: taken
        namespace: ${namespace}
        annotations: { weir.dev/sync-options: TakeOver=true }
      data: { key: v1 }
    `);
    await using repository = await TestRepository.create({
      "theirs.yaml": configMap("theirs", "v1", namespace),
      "applied.yaml": configMap("applied", "v1", namespace),
      "taken.yaml": taken,
    });

    const dataOf = async (name: string) => (await cluster.kube.get(configMapPath(name, namespace)))?.data;
    const helms = { from: "helm" };
    {
      await using fluxd = await start(cluster, repository);
      await firstSync(repository);

      assert.deepEqual(await dataOf("theirs"), helms);
      assert.deepEqual(await dataOf("taken"), { ...helms, key: "v1" });
      assert.deepEqual(await dataOf("applied"), { ...helms, key: "v1" });
      const { stdout } = await fluxctl(fluxd, "tree", "-n", namespace);
      assert.match(stdout, /theirs +Ignored/);
      assert.match(
        fluxd.log,
        new RegExp(
          `err="${namespace}:configmap/theirs: Helm \\(release ${namespace}/shop\\) manages it, so it isn't applied`,
        ),
      );
      await fluxctl(fluxd, "sync");
      assert.equal(count(fluxd, "applying resources that another tool manages too"), 1);
      assert.match(fluxd.log, new RegExp(`resources="[^"]*${namespace}:configmap/applied Helm`));
    }
    await using bold = await start(cluster, repository, "--sync-take-over");
    await until("it to be taken over", async () => JSON.stringify(await dataOf("theirs")).includes("v1"));
    assert.equal(count(bold, "manages it, so it isn't applied"), 0);
  });

  it("applies nothing if the API server would refuse anything, if it's told to check first", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({ "a.yaml": configMap("fine", "v1", namespace) });
    await using fluxd = await start(cluster, repository, "--sync-preflight");
    await firstSync(repository);
    const before = await repository.synced();

    const service = JSON.stringify({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "bad", namespace },
      spec: { ports: [{ name: "http" }] },
    });
    await repository.push({ "a.yaml": configMap("fine", "v2", namespace), "bad.yaml": service }, "break it");
    await fluxctl(fluxd, "--timeout=2s", "sync");
    await until("the refusal", () =>
      fluxd.log.includes("nothing was applied, because some resources would be refused"),
    );

    assert.deepEqual((await cluster.kube.get(configMapPath("fine", namespace)))?.data, { key: "v1" });
    assert.equal(await repository.synced(), before);

    await commit(repository, fluxd, { "bad.yaml": null });
    assert.deepEqual((await cluster.kube.get(configMapPath("fine", namespace)))?.data, { key: "v2" });
  });
});
