import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { configMapPath, describeOnEachCluster } from "@weir/testing";
import { Fluxd, fluxctl } from "../../support/fluxd.ts";
import { KnownImages } from "../../support/known-images.ts";
import { configMap, deployment, namespace } from "../../support/manifests.ts";
import { OwnFluxd } from "../../support/own-fluxd.ts";
import { TestRepository } from "../../support/repository.ts";
import { type TerminalOptions, TestTerminal } from "../../support/terminal.ts";

const files = {
  "web.yaml": deployment("web"),
  "conf.yaml": configMap("conf"),
  "shop.yaml": namespace("shop"),
  "other.yaml": configMap("other", "v1", "shop"),
};

/** A fluxd that has synced, with a terminal beside it. */
class World implements AsyncDisposable {
  readonly repository: TestRepository;
  readonly fluxd: Fluxd;
  readonly terminal: TestTerminal;

  private constructor(repository: TestRepository, fluxd: Fluxd, terminal: TestTerminal) {
    this.repository = repository;
    this.fluxd = fluxd;
    this.terminal = terminal;
  }

  static async start(options: TerminalOptions = {}): Promise<World> {
    const repository = await TestRepository.create(files);
    const fluxd = await Fluxd.start({ gitUrl: repository.url, flags: ["--embedded-cluster"] });
    await fluxd.synced(repository);
    const env = { FLUX_URL: fluxd.apiUrl, ...options.env };
    const terminal = await TestTerminal.start({ ...options, env });
    // A lock keeps its reason only with somebody's name.
    await writeFile(join(terminal.home, ".gitconfig"), "[user]\n\tname = Dev\n\temail = dev@example.test\n");
    return new World(repository, fluxd, terminal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.terminal[Symbol.asyncDispose]();
    await this.fluxd[Symbol.asyncDispose]();
    await this.repository[Symbol.asyncDispose]();
  }
}

/** Quits, and checks that the terminal is as before. */
async function assertRestored(terminal: TestTerminal): Promise<void> {
  assert.match(await terminal.shows(/ready>$/), /^(?!.*RESOURCE)/s);
  assert.equal(await terminal.showsCursor(), true);
  await terminal.enter("echo typed");
  assert.equal(await terminal.finished(), "typed\n");
}

describe("fluxctl top in a terminal", () => {
  for (const [columns, rows] of [
    [40, 10],
    [80, 24],
    [200, 60],
  ] as const) {
    it(`filters, opens, diffs, and locks at ${columns}×${rows}`, async () => {
      await using world = await World.start({ columns, rows });
      const { terminal, repository } = world;
      await terminal.enter("fluxctl top");
      await terminal.shows("configmap/conf");

      await terminal.type("/deployment");
      await terminal.press("Enter");
      const filtered = await terminal.shows(/^(?!.* configmap).*deployment\/web/s);
      assert.ok(filtered.split("\n").length <= rows);
      await terminal.press("Down", "Right");
      await terminal.shows(/- deployment\/web[^]*replicaset\/web-/);
      await terminal.press("Enter");
      await terminal.shows(/main: example\.test\/app:1|Version: apps\/v1/);
      await terminal.press("Escape");
      await terminal.shows("replicaset");

      await terminal.type("d");
      await terminal.shows("Nothing: the cluster is as git wants it.");
      await terminal.type("q");
      await terminal.shows("replicaset");

      await terminal.type("l");
      await terminal.shows(/Lock, because/);
      await terminal.type("it is late");
      await terminal.press("Enter");
      await terminal.shows(/web \[lo/);
      assert.match(
        await repository.upstream("show", "master:web.yaml"),
        /fluxcd.io\/locked: 'true'|fluxcd.io\/locked: "true"/,
      );
      assert.match(await repository.upstream("show", "master:web.yaml"), /it is late/);

      await terminal.type("q");
      await assertRestored(terminal);
    });
  }

  it("is readable without colors", async () => {
    await using world = await World.start({ env: { NO_COLOR: "1" } });
    const { terminal } = world;
    await terminal.enter("fluxctl top");

    await terminal.shows(/>- \(cluster\)[^]*configmap\/conf +synced/);
    await terminal.press("Down");
    await terminal.shows(/> {4}namespace\/shop +synced/);
    assert.doesNotMatch(await terminal.colouredScreen(), /\x1b\[/);
  });

  it("shows a pushed change at once, follows the size of the terminal, and gives it back at Ctrl-C", async () => {
    await using world = await World.start();
    const { terminal, repository, fluxd } = world;
    await terminal.enter("fluxctl top");
    await terminal.shows("configmap/conf");

    await repository.push({ "new.yaml": configMap("brand-new") }, "add");
    await fluxd.notify(repository.url);
    await terminal.shows(/configmap\/brand-new +synced/);
    await terminal.resize(50, 12);
    await terminal.shows(/configmap\/conf +=$/m);
    await terminal.press("C-c");

    await assertRestored(terminal);
  });

  it("says that fluxd is gone, goes on when it is back, and ends at a signal", async () => {
    await using world = await World.start();
    const { terminal, fluxd, repository } = world;
    await terminal.enter("sh -c 'echo $$ > ~/pid; exec fluxctl top'");
    await terminal.shows("configmap/conf");

    await fluxd.stop();
    await terminal.shows(/no connection to fluxd, retrying/);
    const port = new URL(fluxd.baseUrl).port;
    const flags = ["--embedded-cluster", `--listen=127.0.0.1:${port}`];
    await using again = await Fluxd.start({ gitUrl: repository.url, flags });
    await again.logged("HEAD=");
    await terminal.shows(/^(?!.*retrying).*configmap\/conf/s);
    process.kill(Number(await readFile(join(terminal.home, "pid"), "utf8")), "SIGTERM");

    await assertRestored(terminal);
  });

  it("shows while it runs what somebody else suspends and resumes", async () => {
    await using world = await World.start();
    const { terminal, fluxd } = world;
    await terminal.enter("fluxctl top");
    await terminal.shows("configmap/conf");

    assert.equal((await fluxctl(fluxd, "suspend", "sync", "--reason", "a migration")).code, 0);
    await terminal.shows(/Syncing is suspended .*because: a migration/);
    assert.equal((await fluxctl(fluxd, "resume")).code, 0);
    await terminal.shows(/^(?!.*suspended by).*configmap\/conf/s);
  });

  it("refuses where it cannot draw, and says what to use instead", async () => {
    await using world = await World.start();
    const { terminal } = world;

    await terminal.enter("fluxctl top | cat");
    assert.match(await terminal.finished(), /needs a terminal; use `fluxctl tree` instead/);
    await terminal.enter("TERM=dumb fluxctl top");
    assert.match(await terminal.finished(), /TERM=dumb\); use `fluxctl tree` instead/);
    await terminal.enter("FLUX_URL=http://127.0.0.1:9/api/flux fluxctl top");
    assert.match(await terminal.finished(), /^Error: .*127\.0\.0\.1:9/m);
  });

  it("stays usable over a slow connection, because it writes only lines that changed", async () => {
    await using world = await World.start();
    const { terminal, repository, fluxd } = world;
    const log = join(terminal.home, "log");
    // Between fluxctl and the terminal, the speed of an old modem.
    const slowly = `node ${join(import.meta.dirname, "..", "..", "support", "slow-output.ts")} 1200`;
    await terminal.enter(`script -qfc 'fluxctl top' ${log} | ${slowly}`);
    await terminal.shows("configmap/other");
    const written = async (): Promise<number> => (await stat(log)).size;

    const before = await written();
    await terminal.press("Down", "Down", "Down");
    await terminal.shows(/^> {4}configmap\/conf/m);
    const moved = (await written()) - before;
    await repository.push({ "new.yaml": configMap("brand-new") }, "add");
    await fluxd.notify(repository.url);
    await terminal.shows(/configmap\/brand-new +synced/);
    await terminal.type("q");
    await terminal.shows(/ready>$/);

    assert.ok(moved < 3 * 700, `${moved} bytes for three moves`);
  });
});

describeOnEachCluster("fluxctl top", (cluster) => {
  it("releases only after a question", async () => {
    const images = new KnownImages({
      "example.test/top": { "1": "2020-01-01T00:00:00Z", "2": "2020-01-02T00:00:00Z" },
    });
    await using repository = await TestRepository.create({
      "r.yaml": deployment("top-r", "example.test/top:1"),
    });
    await using fluxd = await OwnFluxd.start({ repository, kubeconfigPath: cluster.kubeconfigPath, images });
    await using terminal = await TestTerminal.start({ env: { FLUX_URL: fluxd.apiUrl } });
    const head = await repository.upstream("rev-parse", "master");
    await terminal.enter("fluxctl top");
    await terminal.shows("deployment/top-r");

    await terminal.press("Down");
    await terminal.type("r");
    await terminal.shows(/> example\.test\/top:2/);
    await terminal.press("Enter");
    await terminal.shows(/Release example\.test\/top:2\?[^]*main: example\.test\/top:1 -> 2/);
    await terminal.type("n");
    await terminal.shows("Not released.");
    assert.equal(await repository.upstream("rev-parse", "master"), head);
    await terminal.type("r");
    await terminal.shows(/> example\.test\/top:2/);
    await terminal.press("Enter");
    await terminal.shows("y commit it to git");
    await terminal.type("y");
    await terminal.shows(/Commit applied/);

    assert.match(await repository.upstream("show", "master:r.yaml"), /image: example\.test\/top:2/);
  });

  it("shows what was changed in the cluster as drift at once, and how it differs", async () => {
    const images = new KnownImages();
    await using repository = await TestRepository.create({ "d.yaml": configMap("top-drift") });
    await using fluxd = await OwnFluxd.start({ repository, kubeconfigPath: cluster.kubeconfigPath, images });
    await using terminal = await TestTerminal.start({ env: { FLUX_URL: fluxd.apiUrl } });
    await terminal.enter("fluxctl top");
    await terminal.shows(/configmap\/top-drift +synced/);

    await cluster.kube.patch(configMapPath("top-drift"), { data: { key: "by-hand" } });
    await terminal.shows(/1 drifted[^]*configmap\/top-drift +drift/);
    await terminal.press("Down");
    await terminal.type("d");

    await terminal.shows(/- +key: by-hand\n\+ +key: v1/);
  });
});
