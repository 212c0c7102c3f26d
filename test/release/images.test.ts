import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { glob, lstat, readdir, readFile, readlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { TempFolder, until } from "@weir/testing";
import type { Architecture } from "../../dev/release/images/architecture.ts";
import { type BuiltImage, buildImages } from "../../dev/release/images/build-images.ts";
import { unpackedDebian } from "../../dev/release/images/pinned-debian.ts";
import { variants } from "../../dev/release/images/variants.ts";
import { imageTools } from "../../scripts/image/tools.ts";
import flux from "../fixtures/flux-image.json" with { type: "json" };
import { placedFiles } from "../support/dockerfile.ts";
import { Delivery, runInImage } from "../support/images/delivery.ts";
import { EnteredImage } from "../support/images/entered-image.ts";
import { passesInImage } from "../support/images/image-tests.ts";
import { lacksImages } from "../support/images/lacks-images.ts";
import { ownArchitecture } from "../support/images/own-architecture.ts";
import { SecondBuild } from "../support/images/second-build.ts";
import { commandsOf } from "../support/images/tool-commands.ts";
import { run, slimLimit, TestRelease } from "./support.ts";

describe("the images", { skip: lacksImages() }, () => {
  const started = new AsyncDisposableStack();
  const architecture = ownArchitecture as Architecture;
  const bundles = { full: "", root: "", slim: "" };
  let release: TestRelease;
  let built: readonly BuiltImage[];
  let delivery: Delivery;
  before(async () => {
    release = started.use(new TestRelease({ version: "0.0.0-test" }));
    const { version } = release.context;
    built = await buildImages(release.context, { kinds: ["slim", "full"], architectures: [architecture] });
    delivery = started.use(await Delivery.start());
    for (const { name, layout } of built) {
      await delivery.push(layout, name.replace(/.*:/, ""));
    }
    bundles.full = await delivery.unpack(version);
    bundles.root = await delivery.unpack(`${version}-root`);
    bundles.slim = await delivery.unpack(`${version}-slim`);
  });
  after(() => started.disposeAsync());

  it("are the same to the byte when they are built again, in another folder and by somebody else", async () => {
    using elsewhere = await SecondBuild.make();
    using again = new TestRelease({ version: "0.0.0-test" });
    const context = { ...again.context, root: elsewhere.root };

    const second = await buildImages(context, { kinds: ["slim", "full"], architectures: [architecture] });

    assert.deepEqual(
      second.map(({ name, digest }) => [name, digest]),
      built.map(({ name, digest }) => [name, digest]),
    );
    for (const [index, { layout }] of second.entries()) {
      assert.deepEqual(await contentsOf(layout), await contentsOf(built[index]?.layout));
    }
  });

  it("have a Debian that is the same when it's made again instead of kept", async () => {
    using again = new TempFolder();
    const folder = join(again.path, "debian");
    const { root, signal } = release.context;

    await run("sh", [join(root, "docker/debian.sh"), architecture.name, folder]);

    const kept = await unpackedDebian(architecture, { root, signal });
    assert.equal(await hashOfTree(folder), await hashOfTree(kept));
  });

  it("say what they are, and start fluxd", async () => {
    const { version, commit } = release.context;
    for (const { suffix, title, target } of variants.filter(({ kind }) => kind !== "console")) {
      const { config, architecture: name } = await delivery.config(`${version}${suffix}`);

      assert.deepEqual([name, config.User], [architecture.name, target === "root" ? undefined : "1000:1000"]);
      assert.deepEqual([config.Entrypoint, config.WorkingDir], [flux.entrypoint, flux.workdir]);
      assert.match(config.Env.join(" "), /^PATH=\/opt\/weir:/);
      const label = "org.opencontainers.image";
      assert.deepEqual(
        ["title", "version", "revision", "created"].map((each) => config.Labels[`${label}.${each}`]),
        [title, version, commit, "2023-11-14T22:13:20Z"],
      );
    }
  });

  it("share their layers, and only the top one changes with each commit", async () => {
    const { version } = release.context;
    const [full, slim] = await Promise.all([
      delivery.manifest(version),
      delivery.manifest(`${version}-slim`),
    ]);
    const [base, tools, weir] = full.layers.map(({ digest }) => digest);
    const asRoot = await delivery.manifest(`${version}-root`);

    assert.ok(tools);
    assert.deepEqual(
      slim.layers.map(({ digest }) => digest),
      [base, weir],
    );
    assert.deepEqual(asRoot.layers, full.layers);
    using next = new TestRelease({ version: "0.0.1-test" });
    const sourceDate = release.context.sourceDate + 1;
    const [changed] = await buildImages(
      { ...next.context, sourceDate },
      { kinds: ["slim"], architectures: [architecture] },
    );
    const later = (await contentsOf(changed?.layout ?? "")) as Readonly<Record<string, unknown>>;
    const has = (digest = ""): boolean => `blobs/${digest.replace(":", "/")}` in later;
    assert.deepEqual([has(base), has(weir)], [true, false]);
  });

  it("are small where they are called slim", async () => {
    const { layers } = await delivery.manifest(`${release.context.version}-slim`);

    const bytes = layers.reduce((sum, { size }) => sum + size, 0);

    assert.ok(bytes <= slimLimit, `${bytes} bytes`);
  });

  for (const kind of ["full", "slim"] as const) {
    it(`have packages that dpkg finds complete, where they are ${kind}`, async () => {
      const format = ["dpkg-query", "--show", "--showformat=${Package}\\n"];
      const packages = (await runInImage(bundles[kind], ...format)).split("\n");
      const wanted = imageTools.packages.filter(({ slim }) => slim || kind === "full");

      assert.deepEqual(
        wanted.map((each) => each.package).filter((name) => !packages.includes(name)),
        [],
      );
      assert.equal(await runInImage(bundles[kind], "dpkg", "--audit"), "");
    });
  }

  it("have programs where they are in Flux's image, and the files of this repository", async () => {
    for (const path of flux.programs) {
      await runInImage(bundles.root, "test", "-x", path);
    }
    const rootfs = join(bundles.slim, "rootfs");
    for (const [path, from] of placedFiles()) {
      const placed = join(rootfs, path);
      assert.equal(
        from.startsWith("/") ? await readlink(placed) : await readFile(placed, "utf8"),
        from.startsWith("/") ? from : await readFile(from, "utf8"),
      );
    }
  });

  it("give their user a home, and nothing else", async () => {
    const owned = await runInImage(bundles.full, "find", "/", "-xdev", "-uid", "1000");

    assert.deepEqual(owned.trim().split("\n").toSorted(), [
      "/home/flux",
      "/home/flux/.kube",
      "/home/flux/.kube/config",
    ]);
  });

  it("have fluxd and fluxctl, and neither the demo nor the console", async () => {
    const names = await readdir(join(bundles.full, "rootfs/opt/weir"));
    const files = await readdir(join(bundles.full, "rootfs/opt/weir/lib"));

    assert.deepEqual(names.toSorted(), [
      ...["LICENSE", "NOTICE", "THIRD-PARTY-NOTICES.txt"],
      ...["fluxctl", "fluxd", "lib", "man"],
    ]);
    assert.ok(files.includes("fluxd.cjs"));
    assert.deepEqual(
      files.filter((name) => /demo|^(start-)?weir\.cjs|console|pglite|initdb/.test(name)),
      [],
    );
  });

  it("have the licenses of Weir, of Node.js, and of the packages in the programs, and no others", async () => {
    const read = (path: string): Promise<string> => readFile(join(bundles.slim, "rootfs", path), "utf8");

    assert.equal(await read("opt/weir/LICENSE"), await readFile("LICENSE", "utf8"));
    assert.equal(await read("opt/weir/NOTICE"), await readFile("NOTICE", "utf8"));
    assert.match(await read("usr/share/doc/node/copyright"), /^Node\.js is licensed for use as follows:/);
    const notices = await read("opt/weir/THIRD-PARTY-NOTICES.txt");
    assert.match(notices, /^openpgp \d\S* \(LGPL-3\.0\+\)\n[^]*\nGNU GENERAL PUBLIC LICENSE\n/m);
    assert.doesNotMatch(notices, /^(@electric-sql\/pglite|pg|kysely|zod|nodemailer) \d/m);
  });

  it("have all tools of generators, in the pinned versions", async () => {
    const find = ["sh", "-c", 'for each; do command -v "$each"; done', "sh", ...commandsOf(imageTools)];
    assert.equal(
      (await runInImage(bundles.full, ...find)).trim().split("\n").length,
      commandsOf(imageTools).length,
    );

    const says = [
      ["helm", "version", "--short"],
      ["kubectl", "version", "--client", "--short"],
      ["kustomize", "version", "--short"],
      ["sops", "--version"],
    ] as const;
    for (const [command, ...args] of says) {
      const version = imageTools.downloads.find((tool) => tool.command === command)?.version.slice(1) ?? "?";
      assert.ok((await runInImage(bundles.full, command, ...args)).includes(version), command);
    }
  });

  it("trust the authorities that Debian trusts, by name, by hash, and in one file", async () => {
    const verify = ["openssl", "verify", "-CApath", "/etc/ssl/certs", "/etc/ssl/certs/ISRG_Root_X1.pem"];

    assert.match(await runInImage(bundles.slim, ...verify), /: OK/);
    const bundle = await readFile(join(bundles.slim, "rootfs/etc/ssl/certs/ca-certificates.crt"), "utf8");
    assert.ok(bundle.split("BEGIN CERTIFICATE").length > 100);
  });

  it("have programs that tests can start in the image's own root file system", async () => {
    await using entered = await EnteredImage.enter(bundles.full);
    using folder = new TempFolder();
    const git = folder.write("git", "#!/bin/sh\n", 0o755);
    const env = { PATH: `${dirname(git)}:${process.env["PATH"] ?? ""}` };
    const flags = ["--listen=127.0.0.1:0", "--embedded-cluster", `--git-url=file://${folder.path}`];
    const child = spawn(join(entered.programs, "fluxd"), flags, { cwd: folder.path, env, stdio: "ignore" });
    const ended = once(child, "close");
    try {
      const [exe, path] = await until("Node.js to be started", async () => {
        const found = await readlink(`/proc/${child.pid}/exe`);
        const variables = (await readFile(`/proc/${child.pid}/environ`, "utf8")).split("\0");
        return found.endsWith("/node") && [found, variables.find((each) => each.startsWith("PATH="))];
      });

      const tree = await readlink(`/proc/${child.pid}/root`);
      assert.notEqual(tree, "/");
      assert.equal(exe, join(tree, "usr/local/bin/node"));
      assert.match(path ?? "", new RegExp(`^PATH=${folder.path}:/opt/weir:/usr/local/sbin:[^:]*`));
      assert.equal(await readlink(`/proc/${child.pid}/cwd`), join(tree, folder.path));
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
  });

  // `npm run test:release -- image` runs what needs no pods in the image.
  it("pass the tests in pods that need most of the image, and say what to do where only root can read the key", async () => {
    await passesInImage({ usual: bundles.full, root: bundles.root }, ["install", "deploy-key", "refusals"]);
  });

  it("without root and tools pass them, too, with a file system that nobody can write to", async () => {
    await passesInImage({ usual: bundles.slim, root: bundles.root }, [
      "install-restricted",
      "read-only-root",
    ]);
  });
});

/** Of all files with their names, rights, and owners; not of their times, which images set. */
async function hashOfTree(folder: string): Promise<string> {
  const options =
    "--sort=name --mtime=@0 --numeric-owner --format=posix --pax-option=delete=atime,delete=ctime";
  const { stdout } = await run("sh", [
    "-c",
    `tar ${options} --create --directory="$1" . | sha256sum`,
    "sh",
    folder,
  ]);
  return stdout;
}

/** The SHA-256 of each file of a folder, by its path. */
async function contentsOf(folder = ""): Promise<Readonly<Record<string, string>>> {
  const contents: Record<string, string> = {};
  for await (const path of glob("**/*", { cwd: folder })) {
    if ((await lstat(join(folder, path))).isFile()) {
      const content = await readFile(join(folder, path));
      contents[path] = createHash("sha256").update(content).digest("hex");
    }
  }
  assert.ok("index.json" in contents, folder);
  return contents;
}
