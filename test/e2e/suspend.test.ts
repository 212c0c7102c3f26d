import assert from "node:assert/strict";
import { it } from "node:test";
import { configMapPath, describeOnEmbeddedCluster, makeNamespace, until } from "@weir/testing";
import { Fluxd } from "../support/fluxd.ts";
import { KnownImages } from "../support/known-images.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { sampleOf } from "../support/metrics.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";
import { WriteGate } from "../support/write-gate.ts";

const images = new KnownImages({
  "example.test/app": { "1": "2020-01-01T00:00:00Z", "2": "2020-01-02T00:00:00Z" },
});
const whatNext = "fluxd applies the commit once syncing is resumed. To resume it: fluxctl resume sync\n";
const inMemory = "Warning: a restart of fluxd ends this, because fluxd doesn't run in a pod.\n";

describeOnEmbeddedCluster("suspending", {}, (cluster) => {
  async function valueOf(name: string, namespace: string): Promise<unknown> {
    const live = await cluster.kube.get(configMapPath(name, namespace));
    return (live?.["data"] as Readonly<Record<string, string>> | undefined)?.["key"];
  }

  it("keeps fluxd from changing the cluster, says so everywhere, and resuming catches up", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using repository = await TestRepository.create({ "a.yaml": configMap("a", "v1", namespace) });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--sync-on-drift", "--sync-garbage-collection"],
    });
    await fluxd.synced(repository);
    const first = await repository.synced();
    assert.equal(await sampleOf(fluxd, 'weir_suspended{what="sync"}'), 0);

    const suspended = await fluxctl(
      fluxd,
      "suspend",
      "sync",
      "--reason=a \u001b[2J migration",
      "--user=Ann",
      "--for=2h",
    );

    const told =
      /syncing is suspended by Ann until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC because: a \\u001b\[2J migration/i;
    assert.equal(suspended.code, 0, suspended.stderr);
    assert.match(suspended.stdout, told);
    assert.equal(suspended.stderr, inMemory);
    await repository.push(
      { "a.yaml": configMap("a", "v2", namespace), "b.yaml": configMap("b", "v1", namespace) },
      "2",
    );
    await fluxd.notify(repository.url);
    await cluster.kube.patch(configMapPath("a", namespace), { data: { key: "drifted" } });
    const sync = await fluxctl(fluxd, "sync");
    assert.deepEqual([sync.code, sync.stdout], [1, ""]);
    assert.match(sync.stderr, told);
    assert.match(sync.stderr, /fluxctl resume sync/);
    assert.match((await fluxctl(fluxd, "check")).stdout, told);
    assert.equal(await sampleOf(fluxd, 'weir_suspended{what="sync"}'), 1);
    assert.equal(await sampleOf(fluxd, 'weir_suspended{what="automation"}'), 0);
    assert.match((await fluxctl(fluxd, "events", "--type=suspend")).stdout, told);
    await fluxd.logged(/info="syncing is suspended by Ann/);
    // What scripts read stays as it is.
    assert.equal((await fluxctl(fluxd, "list-workloads", "-a")).stderr, "");
    assert.deepEqual([await valueOf("a", namespace), await valueOf("b", namespace)], ["drifted", undefined]);
    assert.equal(await repository.synced(), first);

    const resumed = await fluxctl(fluxd, "resume", "--user=Bob");

    assert.deepEqual([resumed.code, resumed.stdout, resumed.stderr], [0, "Resumed: syncing\n", ""]);
    await until("the sync", async () => (await repository.synced()) !== first);
    assert.deepEqual([await valueOf("a", namespace), await valueOf("b", namespace)], ["v2", "v1"]);
    assert.match((await fluxctl(fluxd, "events", "--type=resume")).stdout, /resumed by Bob: syncing/);
    assert.equal((await fluxctl(fluxd, "resume")).stdout, "Nothing was suspended\n");
    assert.equal((await fluxctl(fluxd, "sync")).code, 0);
  });

  it("stops a sync that is running, which goes on when it's resumed", async () => {
    const namespace = await makeNamespace(cluster.kube);
    await using gate = await WriteGate.before(cluster.kubeconfigPath, "configmaps");
    const later = configMap("later", "v1", namespace).replace(
      "metadata:\n",
      'metadata:\n  annotations: { weir.dev/sync-wave: "1" }\n',
    );
    await using repository = await TestRepository.create({
      "a.yaml": configMap("first", "v1", namespace),
      "b.yaml": later,
    });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: gate.kubeconfigPath,
    });
    await gate.holds();

    const suspending = fluxctl(fluxd, "suspend", "--user=");
    await fluxd.logged(/info="syncing and automated image updates are suspended"/);
    gate.open();

    const { code, stderr } = await suspending;
    assert.deepEqual([code, stderr.includes("still waits")], [0, false], stderr);
    await fluxd.logged(/info="the sync was stopped" reason="syncing is suspended"/);
    await until(
      "the write that was on its way",
      async () => (await valueOf("first", namespace)) !== undefined,
    );
    assert.equal(await valueOf("later", namespace), undefined);
    assert.equal(await repository.synced(), "");
    assert.doesNotMatch(fluxd.log, /err=/);
    assert.equal((await fluxctl(fluxd, "events", "--type=failure", "--no-headers")).stdout, "");

    await fluxctl(fluxd, "resume");

    await until("the sync", async () => (await repository.synced()) !== "");
    assert.equal(await valueOf("later", namespace), "v1");
  });

  it("lets people commit, and automation only if that isn't suspended", async () => {
    await using repository = await TestRepository.create({
      "a.yaml": deployment("sus-a", "example.test/app:1"),
      "b.yaml": deployment("sus-b", "example.test/app:1"),
    });
    await using fluxd = await OwnFluxd.start({
      repository,
      kubeconfigPath: cluster.kubeconfigPath,
      images,
    });
    await until("the first sync", async () => (await repository.synced()) !== "");
    const release = (name: string, tag: string) =>
      fluxctl(fluxd, "release", `--workload=deployment/${name}`, `--update-image=example.test/app:${tag}`);
    const imageOfB = () => repository.upstream("show", "master:b.yaml");

    await fluxctl(fluxd, "suspend", "automation", "--user=Ann");
    const automate = await fluxctl(fluxd, "automate", "--workload=deployment/sus-b");
    assert.equal(automate.code, 0, automate.stderr);
    // Jobs run after the look for images that is due.
    const applied = await release("sus-a", "2");
    assert.match(applied.stderr, /Commit applied:\t\w{7}\n$/);
    assert.match(await imageOfB(), /example.test\/app:1/);

    await fluxctl(fluxd, "suspend", "sync", "--user=Ann");
    const { code, stderr } = await release("sus-a", "1");
    assert.equal(code, 0, stderr);
    const [, revision = ""] = /Commit pushed:\t(\w{7})\n/.exec(stderr) ?? [];
    const told = `Commit not applied:\t${revision}, because syncing is suspended by Ann\n${whatNext}`;
    assert.ok(revision !== "" && stderr.endsWith(told), stderr);
    // Nothing is rolled out, so there's nothing to watch.
    const undone = await fluxctl(fluxd, "undo", "deployment/sus-a", "--watch");
    assert.equal(undone.code, 0, undone.stderr);
    assert.match(undone.stderr, /Commit pushed:\t\w{7}\n/);
    assert.ok(undone.stderr.endsWith(whatNext), undone.stderr);

    await fluxctl(fluxd, "resume");
    await until("the automated release", async () => /example.test\/app:2/.test(await imageOfB()));
  });
});
