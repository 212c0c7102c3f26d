import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { freePort, lacks, TempFolder, until } from "@weir/testing";
import { type Architecture, architectures } from "../../dev/release/images/architecture.ts";
import { type BuiltImage, buildImages } from "../../dev/release/images/build-images.ts";
import { builtPage } from "../support/images/built-page.ts";
import { ComposeProject, lacksCompose } from "../support/images/compose-project.ts";
import { Delivery } from "../support/images/delivery.ts";
import { EmulatedImage } from "../support/images/emulated.ts";
import { EnteredImage } from "../support/images/entered-image.ts";
import { passesInImage } from "../support/images/image-tests.ts";
import { lacksImages } from "../support/images/lacks-images.ts";
import { ownArchitecture } from "../support/images/own-architecture.ts";
import { SecondBuild } from "../support/images/second-build.ts";
import { slimLimit, TestRelease, version } from "./support.ts";

const root = join(import.meta.dirname, "../..");
const deploy = join(root, "deploy/console");
const guide = readFileSync(join(root, "hub/docs/console-install.md"), "utf8");

describe("the console's image", { skip: lacksImages() }, () => {
  const started = new AsyncDisposableStack();
  const architecture = ownArchitecture as Architecture;
  let release: TestRelease;
  let built: BuiltImage | undefined;
  let delivery: Delivery;
  let bundle: string;
  before(async () => {
    await builtPage();
    release = started.use(new TestRelease({ version: "0.0.0-test" }));
    [built] = await buildImages(release.context, { kinds: ["console"], architectures: [architecture] });
    delivery = started.use(await Delivery.start());
    await delivery.push(built?.layout ?? "", "0.0.0-test");
    bundle = await delivery.unpack("0.0.0-test");
  });
  after(() => started.disposeAsync());

  it("says what it is, starts the console without root, and is small", async () => {
    const { config } = await delivery.config("0.0.0-test");
    const { layers } = await delivery.manifest("0.0.0-test");

    assert.equal(built?.name, "docker.io/weirdev/weir-console:0.0.0-test");
    assert.deepEqual(
      [config.User, config.Entrypoint, config.WorkingDir],
      ["1000:1000", ["/sbin/tini", "--", "weir-console"], "/"],
    );
    assert.equal(config.Labels["org.opencontainers.image.title"], "Weir console");
    const bytes = layers.reduce((sum, { size }) => sum + size, 0);
    assert.ok(bytes <= slimLimit, `${bytes} bytes`);
  });

  it("has the console, its page, and their licenses, and nothing of fluxd", async () => {
    const rootfs = join(bundle, "rootfs");
    const read = (path: string): Promise<string> => readFile(join(rootfs, path), "utf8");

    assert.deepEqual((await readdir(join(rootfs, "opt/weir"))).toSorted(), [
      ...["LICENSE", "NOTICE", "THIRD-PARTY-NOTICES.txt"],
      ...["console", "lib", "weir-console"],
    ]);
    const notices = await read("opt/weir/THIRD-PARTY-NOTICES.txt");
    assert.match(notices, /^@electric-sql\/pglite \d/m);
    assert.match(notices, /^PostgreSQL Database Management System$/m);
    assert.doesNotMatch(notices, /^(openpgp|ink|simple-git) \d/m);
    assert.match(await read("opt/weir/console/page/licenses.txt"), /^preact \d/m);
    assert.equal(await readlink(join(rootfs, "usr/local/bin/weir-console")), "/opt/weir/weir-console");
  });

  it("is the same to the byte when it's built again, in another folder and by somebody else", async () => {
    using elsewhere = await SecondBuild.make({ page: true });
    using again = new TestRelease({ version: "0.0.0-test" });
    const context = { ...again.context, root: elsewhere.root };

    const [second] = await buildImages(context, { kinds: ["console"], architectures: [architecture] });

    assert.equal(second?.digest, built?.digest);
  });

  it("serves its page from an embedded database, in its own root file system", async () => {
    await using entered = await EnteredImage.enter(bundle);
    using folder = new TempFolder();
    const url = `http://127.0.0.1:${await freePort()}`;
    const flags = [`--listen=${url.slice("http://".length)}`, `--data-folder=${join(folder.path, "data")}`];
    const child = spawn(join(entered.programs, "weir-console"), flags, { cwd: folder.path, stdio: "ignore" });
    const ended = once(child, "close");
    try {
      await until("the console to be ready", async () => {
        assert.equal(child.exitCode, null);
        return (await fetch(`${url}/readyz`)).status === 200;
      });
      const page = await (await fetch(url)).text();

      assert.notEqual(await readlink(`/proc/${child.pid}/root`), "/");
      assert.match(page, /<script type="module"/);
      assert.ok(existsSync(join(folder.path, "data")));
    } finally {
      child.kill("SIGTERM");
      await ended;
    }
  });

  it("runs by its compose file, as the guide says", { skip: lacksCompose() }, async () => {
    await using project = await ComposeProject.open(join(deploy, "compose.yaml"));
    await project.pull(`${built?.layout}:0.0.0-test`, `docker.io/weirdev/weir-console:${version}`);
    const [, section = ""] = guide.split("\n## With compose\n");
    const [commands = ""] = section.split("\n## ");
    const steps = commands.split("\n").flatMap((line) => /^ {4}(.*)/.exec(line)?.[1] ?? []);
    const settings = steps.filter((step) => step.startsWith("export "));
    const last = steps.pop() ?? "";

    await project.run(steps.join("\n"));
    // Podman doesn't wait for the database, and starts the console again until it's there.
    const logged = await until("the link that the last step shows", () =>
      project.run([...settings, last].join("\n")),
    );

    assert.match(logged, /https:\/\/weir\.example\.com\/invitation#wcv_/);
    const show = `fetch("http://127.0.0.1:8080/").then((page) => page.text()).then(console.log)`;
    assert.match(await project.run(`${process.execPath} -e '${show}'`), /<script type="module"/);
    const running = await project.run("podman ps --format '{{.Names}} {{.Status}}'");
    assert.equal(running.trim().split("\n").length, 2, running);
  });

  it("runs by the console's chart, with PostgreSQL", async () => {
    await passesInImage({ console: bundle }, ["console"]);
  });
});

describe("the console's image for arm64", { skip: lacksImages() || lacks("qemu") }, () => {
  const started = new AsyncDisposableStack();
  let image: EmulatedImage;
  before(async () => {
    await builtPage();
    const release = started.use(new TestRelease({ version: "0.0.0-test" }));
    const arm64 = architectures.filter(({ name }) => name === "arm64");
    const [built] = await buildImages(release.context, { kinds: ["console"], architectures: arm64 });
    const delivery = started.use(await Delivery.start());
    await delivery.push(built?.layout ?? "", "0.0.0-test");
    image = await EmulatedImage.prepare(await delivery.unpack("0.0.0-test", "arm64"));
  });
  after(() => started.disposeAsync());

  it("has a console that starts", async () => {
    const start = "/opt/weir/lib/start-weir-console.cjs";

    assert.equal(await image.run("/usr/local/bin/node", start, "--version"), `${version}\n`);
  });
});
