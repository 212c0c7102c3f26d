import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { glob, lstat, readdir, readFile, readlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { TempFolder, until } from "@weir/testing";
import { commandsOf, imageTools } from "../../scripts/image/tools.ts";
import type { Architecture } from "../../scripts/release/images/architecture.ts";
import { type BuiltImage, buildImages } from "../../scripts/release/images/build-images.ts";
import { makeLayer } from "../../scripts/release/images/layer.ts";
import { baseLayer, weirLayer } from "../../scripts/release/images/layers.ts";
import { baseTree } from "../../scripts/release/images/tree/trees.ts";
import { variants } from "../../scripts/release/images/variants.ts";
import { copiesOf, instructionsOf, linksOf, packagesOf, settingOf } from "../support/dockerfile.ts";
import { Delivery, runInImage } from "../support/images/delivery.ts";
import { EnteredImage } from "../support/images/entered-image.ts";
import { passesInImage } from "../support/images/image-tests.ts";
import { lacksImages } from "../support/images/lacks-images.ts";
import { ownArchitecture } from "../support/images/own-architecture.ts";
import { TestRelease } from "./support.ts";

const slimLimit = 120_000_000;

describe("the images", { skip: lacksImages() }, () => {
  const started = new AsyncDisposableStack();
  const architecture = ownArchitecture as Architecture;
  const tags = { full: "", slim: "-slim" };
  const bundles = { full: "", slim: "" };
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
    bundles.slim = await delivery.unpack(`${version}-slim`);
  });
  after(() => started.disposeAsync());

  it("are the same to the byte when they are built again", async () => {
    using again = new TestRelease({ version: "0.0.0-test" });
    const { signal } = release.context;

    const [second] = await buildImages(again.context, { kinds: ["slim"], architectures: [architecture] });
    const base = await makeLayer({
      tree: await baseTree(architecture, signal),
      folder: join(again.context.work, "base"),
      createdBy: "",
      signal,
    });

    const first = built.find(({ name }) => name === second?.name);
    assert.equal(second?.digest, first?.digest);
    assert.deepEqual(await contentsOf(second?.layout), await contentsOf(first?.layout));
    assert.equal(base.digest, (await baseLayer(architecture, release.context)).digest);
  });

  it("say what they are, and start fluxd", async () => {
    const { version, commit } = release.context;
    for (const { suffix, title, user } of variants) {
      const { config, architecture: name } = await delivery.config(`${version}${suffix}`);

      assert.deepEqual([name, config.User], [architecture.name, user]);
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

    assert.ok(tools);
    assert.deepEqual(
      slim.layers.map(({ digest }) => digest),
      [base, weir],
    );
    const next = await weirLayer({ ...release.context, sourceDate: release.context.sourceDate + 1 });
    assert.notEqual(next.digest, weir);
  });

  it("are small where they are called slim", async () => {
    const { layers } = await delivery.manifest(`${release.context.version}-slim`);

    const bytes = layers.reduce((sum, { size }) => sum + size, 0);

    assert.ok(bytes <= slimLimit, `${bytes} bytes`);
  });

  for (const kind of ["full", "slim"] as const) {
    describe(`${kind}, as the Dockerfile makes it,`, () => {
      const target = instructionsOf(kind === "slim" ? "slim" : undefined);

      it("has the same packages, which dpkg finds complete", async () => {
        const format = ["dpkg-query", "--show", "--showformat=${Package}\\n"];
        const packages = (await runInImage(bundles[kind], ...format)).split("\n");

        assert.deepEqual(
          packagesOf(target).filter((name) => !packages.includes(name)),
          [],
        );
        assert.equal(await runInImage(bundles[kind], "dpkg", "--audit"), "");
      });

      it("has the same links and files", async () => {
        const rootfs = join(bundles[kind], "rootfs");
        for (const [path, to] of linksOf(target)) {
          assert.equal(await readlink(join(rootfs, path)), to, path);
        }
        for (const [path, from] of copiesOf(target)) {
          if (from.startsWith("docker/")) {
            assert.deepEqual(await readFile(join(rootfs, path)), await readFile(from), path);
          } else {
            assert.ok((await lstat(join(rootfs, path))).isDirectory(), path);
          }
        }
      });

      it("has the same settings", async () => {
        const { config } = await delivery.config(`${release.context.version}${tags[kind]}`);

        assert.deepEqual(
          JSON.stringify(config.Entrypoint),
          settingOf(target, "ENTRYPOINT")?.replaceAll(", ", ","),
        );
        assert.equal(config.WorkingDir, settingOf(target, "WORKDIR"));
        assert.equal(config.User, settingOf(target, "USER"));
        assert.match(config.Env.join(" "), /^PATH=\/opt\/weir:/);
      });
    });
  }

  it("have fluxd and fluxctl, and no demo", async () => {
    const names = await readdir(join(bundles.full, "rootfs/opt/weir"));
    const files = await readdir(join(bundles.full, "rootfs/opt/weir/lib"));

    assert.deepEqual(names.toSorted(), ["THIRD-PARTY-NOTICES.txt", "fluxctl", "fluxd", "lib", "man"]);
    assert.deepEqual(
      files.filter((name) => /demo|^(start-)?weir\.cjs/.test(name)),
      [],
    );
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

  it("with root, as with Flux v1's Deployments, pass the tests in pods", async () => {
    await passesInImage(bundles.full, [
      "install",
      "release",
      "deploy-key",
      "generators",
      "switch-chart-values",
    ]);
  });

  it("without root pass them, too, with a file system that nobody can write to", async () => {
    await passesInImage(bundles.slim, ["install-restricted", "read-only-root"]);
  });
});

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
