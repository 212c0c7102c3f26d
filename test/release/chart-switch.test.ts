import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { until } from "@weir/testing";
import { ownImage } from "../../src/own-image/own-image.ts";
import { lacksHelm } from "../support/chart/helm.ts";
import { helmIn, installFluxChart } from "../support/chart/installed.ts";
import { packageVersion } from "../support/chart/package-version.ts";
import { chartFolder } from "../support/chart/render.ts";
import { chartInstall, fluxImage } from "../support/flux-installs.ts";
import { PodWorld } from "../support/pods/pod-world.ts";
import { SwitchWorld } from "../support/pods/switch/switch-world.ts";

const namespace = "flux";
const page = readFileSync(join(import.meta.dirname, "../../docs/switching-from-flux-v1.md"), "utf8");

describe("a release of Flux v1's chart", { skip: PodWorld.lacks() || lacksHelm() }, () => {
  let world: SwitchWorld;
  let atFirst: Awaited<ReturnType<typeof uids>>;
  let state: Awaited<ReturnType<typeof others>>;
  before(async () => {
    world = await SwitchWorld.start({
      namespace,
      install: ({ url, knownHosts }) =>
        chartInstall({ appliedBy: "template", git: { url }, ssh: { knownHosts } }),
      create: ({ cluster }, { objects }, { url, knownHosts }) =>
        installFluxChart(cluster, {
          release: "flux",
          namespace,
          objects,
          values: { git: { url }, ssh: { known_hosts: knownHosts } },
        }),
    });
    atFirst = await uids();
    state = await others();
  });
  after(() => world[Symbol.asyncDispose]());

  it("is switched by helm upgrade --reuse-values, which changes nothing else", async () => {
    const notes = await helmIn(world.pods.cluster, ...documented("helm upgrade flux weir-"));

    await world.pods.kubectl.rolledOut({ namespace, name: "deployment/flux" });
    await until("fluxctl sync", async () => {
      const { exit, stderr } = await world.fluxctl("sync");
      assert.equal(exit, 0, stderr);
      return true;
    });
    assert.equal(await image(), ownImage(packageVersion()));
    assert.ok(notes.includes(`fluxd runs from ${ownImage(packageVersion())}.`), notes);
    assert.doesNotMatch(notes, /WARNING/);
    assert.deepEqual(await uids(), atFirst);
    // memcached's pod among them.
    assert.deepEqual(await others(), state);
  });

  it("is the one of before after helm rollback", async () => {
    await helmIn(world.pods.cluster, ...documented("helm rollback "));
    await world.pods.kubectl.rolledOut({ namespace, name: "deployment/flux" });
    await world.standInIsDone();

    assert.equal(await image(), fluxImage);
    assert.deepEqual(await uids(), atFirst);
    assert.deepEqual(await others(), state);
  });

  /** The arguments of a command in docs/switching-from-flux-v1.md, with the chart in the place of its package. */
  function documented(start: string): readonly string[] {
    const [, command] =
      new RegExp(`(?:^ {4}|\`)helm (${start.slice("helm ".length)}[^\`\n]*)`, "m").exec(page) ?? [];
    assert.ok(command, `the page has a command that begins with ${start}`);
    return command.split(" ").map((word) => (word === `weir-${packageVersion()}.tgz` ? chartFolder : word));
  }

  async function image(): Promise<string> {
    const path = "jsonpath={.spec.template.spec.containers[0].image}";
    return world.pods.kubectl.must(["get", "deployment/flux", "-n", namespace, "-o", path]);
  }

  /** By which one can tell whether an object of the release was replaced. */
  async function uids(): Promise<readonly string[]> {
    const names = world.install.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    const path = "jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.uid}{'\\n'}{end}";
    const told = await world.pods.kubectl.must(["get", ...names, "-n", namespace, "-o", path]);
    return told.split("\n");
  }

  /** Git, what is known of images, and all objects but those of the release, whose labels name the chart. */
  async function others(): Promise<object> {
    const { refs, objects, images } = await world.state();
    const own = new Set(
      world.install.objects.map(({ kind, metadata }) => `${kind.toLowerCase()}s /${metadata.name}`),
    );
    const kept = Object.entries(objects).filter(([key]) => {
      return !key.startsWith(`secrets ${namespace}/sh.helm.`) && !own.has(key.replace(`${namespace}/`, "/"));
    });
    return { refs, images, objects: Object.fromEntries(kept) };
  }
});
