import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { dedent } from "@weir/testing";
import { namespace } from "../../support/manifests.ts";
import { app, appImages, runs } from "../../support/pods/app.ts";
import { usualImages } from "../../support/pods/images.ts";
import { InstalledFluxd, type InstalledOptions } from "../../support/pods/installed-fluxd.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";
import { RegistryPod } from "../../support/pods/registry-pod.ts";

const image = "registry.flux:5000/app";

const files = {
  "demo.yaml": namespace("demo"),
  "web.yaml": app({ name: "web", image: `${image}:1.0` }),
  "locked.yaml": app({
    name: "locked",
    image: `${image}:1.0`,
    annotations: { "fluxcd.io/locked": "true" },
  }),
};

describe("a release", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let fluxd: InstalledFluxd;
  let registry: RegistryPod;
  const release = (...args: readonly string[]): Promise<string> =>
    fluxd.fluxctl("release", ...args, "--user=Ann <ann@example.test>");
  const lastNote = async (): Promise<Note> =>
    JSON.parse(await fluxd.repository.upstream("notes", "--ref=flux", "show", "master")) as Note;
  /** Who wrote it, who committed it, what it says, and what it changed. */
  const lastCommit = async (): Promise<readonly string[]> => {
    const format = "--format=%an <%ae>%n%cn <%ce>%n%s";
    const shown = await fluxd.repository.upstream("show", "--name-only", format, "master");
    return shown.split("\n").filter(Boolean);
  };
  before(async () => {
    world = started.use(await PodWorld.start());
    await world.cluster.useImages([...appImages(image, ["1.0", "1.1"]), ...usualImages()]);
    registry = started.use(await RegistryPod.start(world, "flux"));
    await registry.push("app", "1.0", "06-01");
    await registry.push("app", "1.1", "06-02");
    const options: InstalledOptions = {
      files,
      running: Object.values(files).join("---\n"),
      fluxd: [`--registry-insecure-host=${registry.host}`, "--git-set-author"],
    };
    fluxd = started.use(await InstalledFluxd.start(world, options));
    await Promise.all(["web", "locked"].map((name) => runs(world.kubectl, "1.0", name)));
    await fluxd.scanned("1.1");
  });
  after(() => started.disposeAsync());

  it("that is a dry run tells what would be done, and does nothing", async () => {
    const before = await fluxd.repository.upstream("for-each-ref");

    const stdout = await fluxd.fluxctl("release", "--all", "--update-all-images", "--dry-run", "-v");

    assert.equal(
      stdout,
      dedent(`
        WORKLOAD                STATUS   UPDATES
        demo:deployment/locked  skipped  locked
        demo:deployment/web     success  main: ${image}:1.0 -> 1.1
      `),
    );
    assert.equal(await fluxd.repository.upstream("for-each-ref"), before);
  });

  it("is a commit with its author, message, and note, and runs in the pod", async () => {
    const stdout = await release("--workload=demo:deployment/web", `--update-image=${image}:1.1`);

    assert.equal(
      stdout,
      dedent(`
        WORKLOAD             STATUS   UPDATES
        demo:deployment/web  success  main: ${image}:1.0 -> 1.1
      `),
    );
    await runs(world.kubectl, "1.1", "web");
    assert.deepEqual(await lastCommit(), [
      "Ann <ann@example.test>",
      "Flux <flux@example.test>",
      `Release ${image}:1.1 to demo:deployment/web`,
      "web.yaml",
    ]);
    const { type, cause, spec } = (await lastNote()).spec;
    assert.equal(type, "image");
    assert.deepEqual(cause, { Message: "", User: "Ann <ann@example.test>" });
    assert.deepEqual(spec, {
      ServiceSpecs: ["demo:deployment/web"],
      ImageSpec: `${image}:1.1`,
      Kind: "execute",
      Excludes: null,
      Force: false,
    });
  });

  it("of a locked workload is refused, unless it is forced", async () => {
    const locked = ["--workload=demo:deployment/locked", `--update-image=${image}:1.1`];
    const before = await fluxd.repository.upstream("for-each-ref");

    const { exit, stderr } = await fluxd.run("release", ...locked);

    assert.equal(exit, 1);
    assert.match(stderr, /Error: no changes made in repo/);
    assert.equal(await fluxd.repository.upstream("for-each-ref"), before);
    await runs(world.kubectl, "1.0", "locked");

    await release(...locked, "--force", "--message=Up it goes");

    await runs(world.kubectl, "1.1", "locked");
    assert.deepEqual(await lastCommit(), [
      "Ann <ann@example.test>",
      "Flux <flux@example.test>",
      "Up it goes",
      "locked.yaml",
    ]);
    assert.deepEqual((await lastNote()).result["demo:deployment/locked"], {
      Status: "success",
      PerContainer: [{ Container: "main", Current: `${image}:1.0`, Target: `${image}:1.1` }],
    });
  });
});

interface Note {
  readonly spec: { readonly type: string; readonly cause: JsonValue; readonly spec: JsonValue };
  readonly result: Readonly<Record<string, JsonValue>>;
}
