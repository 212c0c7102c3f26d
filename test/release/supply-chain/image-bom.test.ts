import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { goProgram } from "@weir/toolchain";
import type { Component } from "../../../dev/release/supply/boms.ts";
import { modulesIn } from "../../../dev/release/supply/module-licenses.ts";
import { sbomStep } from "../../../dev/release/supply/step.ts";
import { root, run, TestRelease } from "../support.ts";

/** Files of this machine, a Debian system, by their paths in an image. */
async function filesOfImage(): Promise<Readonly<Record<string, string>>> {
  return {
    "etc/os-release": "/etc/os-release",
    "var/lib/dpkg/status": "/var/lib/dpkg/status",
    "usr/local/bin/kustomize": await goProgram("kustomize"),
    "opt/weir/lib/fluxd.cjs": join(root, "dist", "lib", "fluxd.cjs"),
  };
}

/** Writes an OCI layout of one image with these files, which runs as this user. */
async function writeImage(
  layout: string,
  files: Readonly<Record<string, string>>,
  user: string,
): Promise<string> {
  using tree = new TempFolder();
  for (const [path, from] of Object.entries(files)) {
    mkdirSync(dirname(join(tree.path, path)), { recursive: true });
    copyFileSync(from, join(tree.path, path));
  }
  using archive = new TempFolder();
  const tar = join(archive.path, "layer.tar");
  await run("tar", ["-cf", tar, "-C", tree.path, "--sort=name", "--mtime=@0", "."]);
  mkdirSync(join(layout, "blobs", "sha256"), { recursive: true });
  const put = (type: string, content: Buffer): object => {
    const hash = createHash("sha256").update(content).digest("hex");
    const file = join(layout, "blobs", "sha256", hash);
    writeFileSync(file, content);
    return {
      mediaType: `application/vnd.oci.image.${type}`,
      digest: `sha256:${hash}`,
      size: statSync(file).size,
    };
  };
  const layer = put("layer.v1.tar", readFileSync(tar));
  const diffIds = [(layer as { readonly digest: string }).digest];
  const config = {
    architecture: "amd64",
    os: "linux",
    config: { User: user },
    rootfs: { type: "layers", diff_ids: diffIds },
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: put("config.v1+json", Buffer.from(JSON.stringify(config))),
    layers: [layer],
  };
  const descriptor = put("manifest.v1+json", Buffer.from(JSON.stringify(manifest)));
  const index = {
    schemaVersion: 2,
    manifests: [{ ...descriptor, platform: { os: "linux", architecture: "amd64" } }],
  };
  writeFileSync(join(layout, "index.json"), JSON.stringify(index));
  writeFileSync(join(layout, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  return (descriptor as { readonly digest: string }).digest;
}

interface Bom {
  readonly serialNumber?: string;
  readonly metadata: {
    readonly timestamp: string;
    readonly component: { readonly name: string; readonly version: string };
  };
  readonly components: readonly Component[];
}

describe("the SBOM of an image", () => {
  it("lists its Debian packages, the modules of its Go programs with licenses, and the bundles, each time alike", async () => {
    const texts: string[] = [];
    let digest = "";
    for (let time = 0; time < 2; time += 1) {
      using release = new TestRelease();
      const images = join(release.context.out, "images");
      digest = await writeImage(join(images, "weir-amd64"), await filesOfImage(), "root");
      const made = await sbomStep(release.context);
      texts.push(readFileSync(made.at(-1) ?? "", "utf8"));
    }

    const [first = "", second] = texts;
    const { metadata, components, serialNumber } = JSON.parse(first) as Bom;
    const purls = components.map(({ purl = "" }) => purl);
    assert.equal(first, second);
    assert.equal(serialNumber, undefined);
    assert.equal(metadata.timestamp, "2023-11-14T22:13:20.000Z");
    assert.deepEqual(
      [metadata.component.name, metadata.component.version.split("@")[1]],
      ["weir-amd64", digest],
    );
    assert.ok(
      purls.some((purl) => purl.startsWith("pkg:deb/debian/dpkg@")),
      "a Debian package",
    );
    assert.ok(
      purls.some((purl) => purl.startsWith("pkg:golang/sigs.k8s.io/kustomize/kustomize/v3@")),
      "a Go module",
    );
    assert.ok(
      purls.some((purl) => purl.startsWith("pkg:npm/undici@")),
      "a package in a bundle",
    );
    assert.deepEqual(
      purls.filter((purl) => /^pkg:npm\/(pg|zod|ink|%40electric-sql\/pglite)@/.test(purl)),
      [],
    );
    const licenses = new Map(modulesIn({ components }).map(({ name, license }) => [name, license]));
    assert.equal(licenses.get("github.com/hashicorp/errwrap"), "MPL-2.0");
    assert.deepEqual(
      [...licenses].filter(([, license]) => license === ""),
      [],
    );
  });

  it("lists the same as that of an image with the same layers, but is about another one", async () => {
    using release = new TestRelease();
    const images = join(release.context.out, "images");
    const files = { "etc/os-release": "/etc/os-release", "var/lib/dpkg/status": "/var/lib/dpkg/status" };
    await writeImage(join(images, "weir"), files, "root");
    await writeImage(join(images, "weir-root"), files, "weir");

    const made = (await sbomStep(release.context)).filter((path) => path.includes("image-"));

    const [first, second] = made.map((path) => JSON.parse(readFileSync(path, "utf8")) as Bom);
    assert.deepEqual(
      [first?.metadata.component.name, second?.metadata.component.name],
      ["weir", "weir-root"],
    );
    assert.notEqual(first?.metadata.component.version, second?.metadata.component.version);
    assert.deepEqual(first?.components, second?.components);
  });
});
