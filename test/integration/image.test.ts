import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseKubeConfig } from "@weir/kube/client";
import { TempFolder } from "@weir/testing";
import { parseFluxdArgs } from "../../cmd/fluxd/config.ts";
import { variants } from "../../dev/release/images/variants.ts";
import { imageTools } from "../../scripts/image/tools.ts";
import { toolsOfImage } from "../../src/manifests/generate/missing-tool.ts";
import { ownImageRepository } from "../../src/own-image/own-image.ts";
import flux from "../fixtures/flux-image.json" with { type: "json" };
import { dockerfile, instructionsOf, placedFiles, settingOf } from "../support/dockerfile.ts";
import { commandsOf } from "../support/images/tool-commands.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const stage = instructionsOf("root");
describe("the image has what Deployments of Flux v1 rely on:", () => {
  it("the entrypoint, the user, and the working directory", () => {
    assert.deepEqual(JSON.parse(settingOf(stage, "ENTRYPOINT") ?? "null"), flux.entrypoint);
    assert.equal(settingOf(stage, "WORKDIR"), flux.workdir);
    assert.equal(flux.user, "root");
    assert.equal(settingOf(stage, "USER"), undefined);
    assert.equal(settingOf(instructionsOf(), "USER"), "1000:1000");
  });

  it("the commands of Flux's image, and the same versions of those that shape manifests", () => {
    const lacking = flux.commands.filter((command) => !commandsOf(imageTools).includes(command));
    const versions = imageTools.downloads
      .filter(({ command }) => flux.commands.includes(command))
      .map(({ command, version }) => [command, version]);

    assert.deepEqual(lacking, []);
    assert.deepEqual(Object.fromEntries(versions), flux.versions);
  });

  it("its kubeconfig, which selects no cluster", () => {
    const { path, currentContext, context } = flux.kubeconfig;

    const config = parseKubeConfig(read("docker/kubeconfig"), path);

    assert.equal(placedFiles().get(path), "docker/kubeconfig");
    assert.deepEqual(
      [config.currentContext, [...config.contexts], config.clusters.size, config.users.size],
      [currentContext, [[currentContext, context]], 0, 0],
    );
  });

  it("SSH keys where Deployments mount them", () => {
    const files = [...read("docker/ssh_config").matchAll(/IdentityFile (.*)/g)].map(([, file]) => file);

    assert.deepEqual(files, flux.identityFiles);
  });

  for (const { name, args, env, mounts, ...own } of flux.deployments) {
    it(`nothing that hinders ${name}`, () => {
      const [program = ""] = "command" in own ? own.command : flux.entrypoint.slice(-1);

      const outcome = parseFluxdArgs(args, { HOME: "/root", ...env });

      assert.equal(outcome.kind, "run", JSON.stringify(outcome));
      assert.ok(existsSync(join(root, "cmd", program)), program);
      const hidden = [...placedFiles().keys()].filter((path) =>
        mounts.some((mount) => path.startsWith(mount)),
      );
      assert.deepEqual(hidden, []);
    });
  }
});

describe("the Dockerfile", () => {
  it("has all workspaces before it installs packages", () => {
    const { workspaces } = JSON.parse(read("package.json")) as { readonly workspaces: readonly string[] };
    const [before = ""] = instructionsOf("build").split("RUN sh scripts/setup.sh");

    const copied = [...before.matchAll(/^COPY (\S+?)(\/package\.json)? \1\2$/gm)].map(([, folder]) => folder);

    assert.deepEqual(
      workspaces.map((each) => each.replace("/*", "")).filter((folder) => !copied.includes(folder)),
      [],
    );
  });

  it("makes all images that are released", () => {
    const images = variants.map(({ target }) => settingOf(instructionsOf(target), "ENTRYPOINT"));

    assert.ok(!images.includes(undefined), images.join(" "));
    assert.equal(instructionsOf(), instructionsOf("full"));
  });
});

describe("the tools of the image", () => {
  it("are those that the advice about missing tools names", () => {
    assert.deepEqual(toolsOfImage.toSorted(), commandsOf(imageTools));
  });

  it("are downloaded and unpacked only if their checksum is right", () => {
    using folder = new TempFolder();
    const [run = ""] = /^RUN wget .*kubernetes-client.*$/m.exec(dockerfile) ?? [];
    const command = run
      .replace("RUN wget", "false")
      .replace(/false --quiet --output-document=download \S+/, "true");
    folder.write("download", "not kubectl");

    const { status, stdout } = spawnSync("sh", ["-c", command], { cwd: folder.path, encoding: "utf8" });

    assert.deepEqual([status === 0, stdout], [false, "download: FAILED\n"]);
  });
});

describe("the name of the image", () => {
  it("is the same everywhere", () => {
    const files = [
      "Dockerfile",
      "README.md",
      "deploy/README.md",
      "deploy/flux-deployment.yaml",
      "docs/differences.md",
      "docs/fluxctl.md",
      "docs/image.md",
    ];

    const names = files.flatMap(
      (file) => read(file).match(/\bdocker\.io\/\w+\/weir\b|\bfluxcd\/flux:weir/g) ?? [],
    );

    assert.deepEqual([...new Set(names)], [ownImageRepository]);
  });
});
