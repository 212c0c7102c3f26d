import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { dedent, until } from "@weir/testing";
import { namespace } from "../../support/manifests.ts";
import { app, appImages, runs, unreadyImage } from "../../support/pods/app.ts";
import { usualImages } from "../../support/pods/images.ts";
import { InstalledFluxd, type InstalledOptions } from "../../support/pods/installed-fluxd.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";
import { RegistryPod } from "../../support/pods/registry-pod.ts";

const image = "registry.flux:5000/app";
const files = {
  "demo.yaml": namespace("demo"),
  "steady.yaml": app({
    name: "steady",
    image: `${image}:1.0`,
    annotations: { "fluxcd.io/automated": "true", "fluxcd.io/locked": "true" },
  }),
  "slow.yaml": app({ name: "slow", image: `${image}:1.0` }),
  "stuck.yaml": app({ name: "stuck", image: `${image}:1.0` }),
};

describe("a list", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let fluxd: InstalledFluxd;
  let registry: RegistryPod;
  /** What fluxctl prints, without the blanks at the ends of lines. */
  const list = async (...args: readonly string[]): Promise<string> => {
    const stdout = await fluxd.fluxctl(...args);
    return `${stdout.replace(/ +$/gm, "").trimEnd()}\n`;
  };
  before(async () => {
    world = started.use(await PodWorld.start());
    await world.cluster.useImages([
      ...appImages(image, ["1.0", "1.1"]),
      unreadyImage(`${image}:slow`),
      { match: `${image}:crash`, command: ["sh", "-c", "exit 1"] },
      ...usualImages(),
    ]);
    registry = started.use(await RegistryPod.start(world, "flux"));
    await registry.push("app", "1.0", "06-01");
    await registry.push("app", "1.1", "06-02");
    const options: InstalledOptions = {
      files,
      running: Object.values(files).join("---\n"),
      fluxd: [`--registry-insecure-host=${registry.host}`],
    };
    fluxd = started.use(await InstalledFluxd.start(world, options));
    await fluxd.scanned("1.1");
    await Promise.all(["steady", "slow", "stuck"].map((name) => runs(world.kubectl, "1.0", name)));
  });
  after(() => started.disposeAsync());

  it("of workloads shows what runs, and the policies", async () => {
    assert.equal(
      await list("list-workloads", "-n", "demo"),
      dedent(`
        WORKLOAD                CONTAINER  IMAGE                       RELEASE  POLICY
        demo:deployment/slow    main       registry.flux:5000/app:1.0  ready
        demo:deployment/steady  main       registry.flux:5000/app:1.0  ready    automated,locked
        demo:deployment/stuck   main       registry.flux:5000/app:1.0  ready
      `),
    );
  });

  it("of images shows those of the registry, and which one runs", async () => {
    assert.equal(
      await list("list-images", "--workload=demo:deployment/steady"),
      dedent(`
        WORKLOAD                CONTAINER  IMAGE                   CREATED
        demo:deployment/steady  main       registry.flux:5000/app
                                           |   1.1                 02 Jun 20 08:00 UTC
                                           '-> 1.0                 01 Jun 20 08:00 UTC
      `),
    );
  });

  it("of workloads tells a rollout that goes on from one that cannot end", async () => {
    const impatient = app({ name: "stuck", image: `${image}:crash` }).replace(
      "  replicas",
      "  progressDeadlineSeconds: 1\n  replicas",
    );
    await fluxd.commit({
      "slow.yaml": app({ name: "slow", image: `${image}:slow` }),
      "stuck.yaml": impatient,
    });

    await until("the rollout to fail", async () =>
      (await list("list-workloads", "-n", "demo")).includes("error"),
    );
    assert.equal(
      await list("list-workloads", "-n", "demo"),
      dedent(`
        WORKLOAD                CONTAINER  IMAGE                         RELEASE   POLICY
        demo:deployment/slow    main       registry.flux:5000/app:slow   updating
        demo:deployment/steady  main       registry.flux:5000/app:1.0    ready     automated,locked
        demo:deployment/stuck   main       registry.flux:5000/app:crash  error
      `),
    );
  });
});
