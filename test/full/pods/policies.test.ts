import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { deploymentPath } from "@weir/testing";
import { namespace } from "../../support/manifests.ts";
import { app, appImages, runs } from "../../support/pods/app.ts";
import { usualImages } from "../../support/pods/images.ts";
import { InstalledFluxd, type InstalledOptions } from "../../support/pods/installed-fluxd.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";

const file = "workloads/app.yaml";
const initial = { "fluxcd.io/automated": "true", "fluxcd.io/tag.main": "semver:~3.1" };

describe("a policy that fluxctl sets", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let fluxd: InstalledFluxd;

  /** Changes the policies of the app; resolves to the annotations in git, and the message of the commit. */
  const change = async (...args: readonly string[]): Promise<readonly string[]> => {
    await fluxd.fluxctl(...args, "--workload=demo:deployment/app", "--user=Ann <ann@example.test>");
    const text = await fluxd.repository.upstream("show", `master:${file}`);
    const annotations = /^ {2}annotations:\n((?: {4}.*\n)+)/m.exec(text)?.[1] ?? "";
    const lines = annotations.split("\n").map((line) => line.trim());
    const message = await fluxd.repository.upstream("log", "-1", "--format=%s", "master");
    return [message, ...lines.filter((line) => line.startsWith("fluxcd.io/"))];
  };
  /** The policies as the cluster has them once all commits are applied. */
  const live = async (): Promise<Readonly<Record<string, string>>> => {
    await fluxd.synced();
    const annotations = (await world.kube.get(deploymentPath("app", "demo")))?.metadata.annotations ?? {};
    const policies = Object.entries(annotations).filter(
      ([key]) => key.startsWith("fluxcd.io/") && !key.startsWith("fluxcd.io/sync-"),
    );
    return Object.fromEntries(policies);
  };

  const pods = (): Promise<string> => world.kubectl.must(["get", "pods", "-n", "demo", "-o", "name"]);
  let podsBefore = "";

  before(async () => {
    world = started.use(await PodWorld.start());
    await world.cluster.useImages([...appImages("example.test/app", ["3.1.0"]), ...usualImages()]);
    const options: InstalledOptions = {
      files: {
        "demo.yaml": namespace("demo"),
        [file]: app({ image: "example.test/app:3.1.0", annotations: initial }),
      },
      install: ["--registry-disable-scanning", "--memcached=false"],
    };
    fluxd = started.use(await InstalledFluxd.start(world, options));
    await runs(world.kubectl, "3.1.0");
    podsBefore = await pods();
  });
  after(() => started.disposeAsync());

  it("automates, in git and in the cluster", async () => {
    const pattern = "fluxcd.io/tag.main: semver:~3.1";

    assert.deepEqual(await change("deautomate"), ["Deautomated: demo:deployment/app", pattern]);
    assert.deepEqual(await live(), { "fluxcd.io/tag.main": "semver:~3.1" });

    assert.deepEqual(await change("policy", "--automate"), [
      "Automated: demo:deployment/app",
      pattern,
      "fluxcd.io/automated: 'true'",
    ]);
    assert.deepEqual(await live(), initial);
  });

  it("locks, with who did and why", async () => {
    const before = ["fluxcd.io/tag.main: semver:~3.1", "fluxcd.io/automated: 'true'"];

    assert.deepEqual(await change("lock", "-m", "for now"), [
      "for now",
      ...before,
      "fluxcd.io/locked: 'true'",
      "fluxcd.io/locked_msg: for now",
      "fluxcd.io/locked_user: Ann <ann@example.test>",
    ]);
    assert.deepEqual(await live(), {
      ...initial,
      "fluxcd.io/locked": "true",
      "fluxcd.io/locked_msg": "for now",
      "fluxcd.io/locked_user": "Ann <ann@example.test>",
    });

    assert.deepEqual(await change("policy", "--unlock"), ["Updated workload policies", ...before]);
    assert.deepEqual(await live(), initial);
  });

  it("filters tags", async () => {
    assert.deepEqual(await change("policy", "--tag=main=3.5.*"), [
      "Updated policies: demo:deployment/app",
      "fluxcd.io/tag.main: glob:3.5.*",
      "fluxcd.io/automated: 'true'",
    ]);
    assert.deepEqual(await live(), { ...initial, "fluxcd.io/tag.main": "glob:3.5.*" });
  });

  it("is told in the note of its commit, and restarts no pod", async () => {
    const note = await fluxd.repository.upstream("notes", "--ref=flux", "show", "master");

    assert.match(
      note,
      /"type":"policy","cause":\{"Message":"","User":"Ann \\u003cann@example.test\\u003e"\}/,
    );
    assert.equal(await pods(), podsBefore);
  });
});
