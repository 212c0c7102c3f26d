import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { it } from "node:test";
import { TempFolder } from "@weir/testing";
import { goProgram } from "@weir/toolchain";
import type { Bom } from "../../../dev/release/supply/boms.ts";
import { imagesIn, scanImage } from "../../../dev/release/supply/images.ts";
import { modulesIn } from "../../../dev/release/supply/module-licenses.ts";
import { sbomStep } from "../../../dev/release/supply/step.ts";
import { writeTestImage } from "../support/image-layout.ts";
import { root, run, TestRelease } from "../support.ts";

/** Files of this machine, a Debian system, by their paths in an image. */
const ofDebian = { "etc/os-release": "/etc/os-release", "var/lib/dpkg/status": "/var/lib/dpkg/status" };

/** A release with one image, which has these files of this machine. */
async function releaseWith(files: Readonly<Record<string, string>>): Promise<TestRelease> {
  using tree = new TempFolder();
  for (const [path, from] of Object.entries(files)) {
    mkdirSync(dirname(join(tree.path, "layer", path)), { recursive: true });
    copyFileSync(from, join(tree.path, "layer", path));
  }
  const tar = join(tree.path, "layer.tar");
  await run("tar", ["-cf", tar, "-C", join(tree.path, "layer"), "--sort=name", "--mtime=@0", "."]);
  const release = new TestRelease({ version: "1.2.3" });
  writeTestImage(release.context.out, "weir:1.2.3", readFileSync(tar));
  return release;
}

it("the SBOM of an image lists Debian packages, modules of Go programs, and packages in bundles, each time alike", async () => {
  const files = {
    ...ofDebian,
    "usr/local/bin/kustomize": await goProgram("kustomize"),
    "opt/weir/lib/fluxd.cjs": join(root, "dist", "lib", "fluxd.cjs"),
  };
  const texts: string[] = [];
  let digest = "";
  for (let time = 0; time < 2; time += 1) {
    using release = await releaseWith(files);
    const { out } = release.context;
    digest = imagesIn(join(out, "images"))[0]?.descriptor.digest ?? "";

    // It says what the image lacks, after it has written the SBOM.
    await assert.rejects(sbomStep(release.context), /lacks the license of Node\.js/);

    texts.push(readFileSync(join(out, "sbom", "image-weir-amd64.cdx.json"), "utf8"));
  }

  assert.equal(texts[0], texts[1]);
  const { metadata = {}, components = [], ...others } = JSON.parse(texts[0] ?? "") as Bom;
  assert.equal(others["serialNumber"], undefined);
  assert.equal(metadata["timestamp"], "2023-11-14T22:13:20.000Z");
  assert.deepEqual(
    [metadata.component?.name, metadata.component?.version],
    ["weir-amd64", `1.2.3@${digest}`],
  );
  const purls = components.map(({ purl = "" }) => purl);
  const expected = ["deb/debian/dpkg", "golang/sigs.k8s.io/kustomize/kustomize/v3", "npm/undici"];
  assert.deepEqual(
    expected.filter((start) => !purls.some((purl) => purl.startsWith(`pkg:${start}@`))),
    [],
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

it("a scan finds the licenses of Debian packages, or the checksums of copyright files that nobody but people can read", async () => {
  const copyright = (name: string) => `usr/share/doc/${name}/copyright`;
  const names = ["dpkg", "libc6"];
  using release = await releaseWith({
    ...ofDebian,
    ...Object.fromEntries(names.map((name) => [copyright(name), `/${copyright(name)}`])),
  });
  const [image] = imagesIn(join(release.context.out, "images"));
  assert.ok(image);

  const { bom, files } = await scanImage(image, release.context);

  const [dpkg, libc] = names.map((name) => {
    const found = bom.components?.find((each) => each.purl?.startsWith(`pkg:deb/debian/${name}@`));
    return found?.licenses?.map(({ license }) => license?.id ?? license?.name);
  });
  assert.ok(dpkg?.includes("GPL-2.0-or-later"), String(dpkg));
  assert.match(String(libc), /^sha256:[0-9a-f]{64}$/);
  assert.equal(
    files.get("/usr/share/doc/libc6/copyright"),
    readFileSync("/usr/share/doc/libc6/copyright", "utf8"),
  );
});
