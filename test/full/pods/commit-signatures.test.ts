import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { configMapPath, until } from "@weir/testing";
import { GnuPg } from "../../support/gnupg.ts";
import { configMap, namespace } from "../../support/manifests.ts";
import { app, appImages } from "../../support/pods/app.ts";
import { usualImages } from "../../support/pods/images.ts";
import { InstalledFluxd, type InstalledOptions } from "../../support/pods/installed-fluxd.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";

const lock = ["lock", "--workload=demo:deployment/app"];
const tag = "flux";

describe("with an OpenPGP key from a mounted Secret", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let gnupg: GnuPg;
  let fluxd: InstalledFluxd;
  before(async () => {
    gnupg = started.use(await GnuPg.with());
    await gnupg.addKey("flux", "rsa2048");
    world = started.use(await PodWorld.start());
    await world.cluster.useImages([...appImages("example.test/app", ["1"]), ...usualImages()]);
    const options: InstalledOptions = {
      files: { "demo.yaml": namespace("demo"), "app.yaml": app({ image: "example.test/app:1" }) },
      firstCommit: gnupg.git("flux"),
      gpgKey: await gnupg.secretKey("flux"),
      install: ["--registry-disable-scanning"],
      fluxd: [
        "--git-gpg-key-import=/root/gpg-import",
        `--git-signing-key=${await keyId(gnupg)}`,
        "--git-verify-signatures",
      ],
    };
    fluxd = started.use(await InstalledFluxd.start(world, options));
  });
  after(() => started.disposeAsync());

  /** Rejects unless the real git and gpg find a good signature. */
  async function verify(command: "verify-commit" | "verify-tag", name: string): Promise<void> {
    await fluxd.repository.inClone(["fetch", "-q", "--tags", "--force", fluxd.repository.bare, "master"]);
    await fluxd.repository.inClone([command, name], gnupg.git());
  }

  it("a signed commit is synced, and the sync tag is signed", async () => {
    assert.ok(await world.kube.get("/apis/apps/v1/namespaces/demo/deployments/app"));
    await verify("verify-tag", tag);
  });

  it("a lock is a signed commit, which is synced in turn", async () => {
    const before = await fluxd.repository.upstream("rev-parse", "master");

    await fluxd.fluxctl(...lock);

    const head = await fluxd.repository.upstream("rev-parse", "master");
    assert.notEqual(head, before);
    await verify("verify-commit", head);
    await fluxd.synced();
    await verify("verify-tag", tag);
  });

  it("an unsigned commit isn't applied, which a sync warns of, and the tag stays on the last verified one", async () => {
    const { repository } = fluxd;
    await repository.pull();
    const good = await repository.upstream("rev-parse", "master");
    const bad = await repository.push({ "new.yaml": configMap("new", "v1", "demo") }, "unsigned");

    const { exit, stdout, stderr } = await fluxd.run("sync");

    assert.equal(exit, 0, stderr);
    assert.match(stdout + stderr, /Warning: The branch HEAD in the git repo is not verified/);
    assert.equal(await repository.synced(tag), good);
    assert.equal(await repository.upstream("rev-parse", "master"), bad);
    assert.equal(await world.kube.get(configMapPath("new", "demo")), undefined);
  });

  it("a sync tag that was deleted upstream is put back on the last verified commit after a restart", async () => {
    const { repository } = fluxd;
    const good = await repository.synced(tag);
    await repository.upstream("tag", "--delete", tag);

    // As in Flux v1, a running fluxd doesn't notice: its mirror keeps refs that are gone upstream.
    const { exit, stdout, stderr } = await fluxd.run("sync");
    assert.equal(exit, 0, stderr);
    assert.match(stdout + stderr, /Warning: The branch HEAD in the git repo is not verified/);
    assert.equal(await repository.synced(tag), "");

    await fluxd.rollOut((args) => [...args, "--git-poll-interval=1m"]);

    await until("the tag", async () => (await repository.synced(tag)) === good);
    await verify("verify-tag", tag);
    assert.equal(await world.kube.get(configMapPath("new", "demo")), undefined);
  });

  it("nothing is committed on top of a first commit that isn't signed", async () => {
    const { repository } = fluxd;
    await repository.inClone(["checkout", "-q", "--orphan", "unsigned"]);
    await repository.inClone(["commit", "-q", "--no-gpg-sign", "--message=first"]);
    await repository.inClone(["push", "-q", repository.bare, "unsigned"]);
    const bad = await repository.upstream("rev-parse", "unsigned");
    await fluxd.rollOut((args) => [
      ...args.filter((each) => !/^--git-(branch|label)=/.test(each)),
      "--git-branch=unsigned",
      "--git-label=unsigned",
    ]);
    const words = `found invalid GPG signature for commit" revision=${bad}`;
    await until("the error in the log", async () => (await fluxd.log()).includes(words));

    const { exit, stderr } = await fluxd.run(...lock);

    assert.equal(exit, 1);
    assert.match(stderr, /^Error: HEAD revision is unsigned$/m);
    assert.equal(await repository.upstream("rev-parse", "unsigned"), bad);
    assert.equal(await repository.synced("unsigned"), "");
  });
});

/** The ID of the only key, as people give it to --git-signing-key. */
async function keyId(gnupg: GnuPg): Promise<string> {
  const list = await gnupg.gpg("--with-colons", "--list-secret-keys");
  const [, id] = /^sec:(?:[^:]*:){3}([0-9A-F]{16}):/m.exec(list) ?? [];
  assert.ok(id, list);
  return id;
}
