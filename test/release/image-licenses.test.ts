import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { TempFolder } from "@weir/testing";
import { pack } from "tar-stream";
import { debianPackagesIn } from "../../dev/release/supply/debian-packages.ts";
import { documentsIn } from "../../dev/release/supply/image-documents.ts";
import { imagesIn } from "../../dev/release/supply/image-layouts.ts";
import { imageLicensesStep } from "../../dev/release/supply/step.ts";
import { TestRelease } from "./support.ts";

const media = "application/vnd.oci.image";
const format = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/";

/** What a layer has, by path. */
type Layer = Readonly<Record<string, string>>;

/** Writes a layout with one image below a folder. The second layer isn't compressed. */
async function writeImage(folder: string, layers: readonly Layer[]): Promise<void> {
  const blobs = join(folder, "weir", "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const descriptors: object[] = [];
  for (const [index, layer] of layers.entries()) {
    const writer = pack();
    Object.entries(layer).forEach(([name, text]) => writer.entry({ name }, text));
    writer.finalize();
    const archive = await buffer(writer as AsyncIterable<Buffer>);
    const isCompressed = index !== 1;
    writeFileSync(join(blobs, `layer${index}`), isCompressed ? gzipSync(archive) : archive);
    const mediaType = `${media}.layer.v1.tar${isCompressed ? "+gzip" : ""}`;
    descriptors.push({ mediaType, digest: `sha256:layer${index}`, size: 1 });
  }
  writeFileSync(join(blobs, "manifest"), JSON.stringify({ layers: descriptors }));
  const manifest = { mediaType: `${media}.manifest.v1+json`, digest: "sha256:manifest", size: 1 };
  writeFileSync(join(folder, "weir", "index.json"), JSON.stringify({ manifests: [manifest] }));
  writeFileSync(join(folder, "weir", "oci-layout"), "{}");
}

/** dpkg's database; a package's source is that of its own name, if none is given. */
function database(packages: Readonly<Record<string, string>>): Layer {
  const entries = Object.entries(packages).map(
    ([name, source]) =>
      `Package: ${name}\nStatus: install ok installed\n${source === "" ? "" : `Source: ${source} (1.0)\n`}Version: 1.0\n`,
  );
  const removed = "Package: removed\nStatus: deinstall ok config-files\nVersion: 1.0\n";
  return { "var/lib/dpkg/status": [...entries, removed].join("\n") };
}

/** The copyright file of a package. */
function copyright(name: string, text: string): Layer {
  return { [`usr/share/doc/${name}/copyright`]: text };
}

describe("the Debian packages of an image", () => {
  it("are those of the last database, each with its own copyright file or that of its source", async () => {
    using folder = new TempFolder();
    await writeImage(folder.path, [
      { ...database({ base: "", "libfoo-common": "foo", libfoo: "foo" }), ...copyright("base", "old") },
      { ...copyright("libfoo-common", "of foo"), ...copyright("base", "new"), "usr/bin/foo": "a program" },
      { ...database({ base: "", "libfoo-common": "foo", libfoo: "foo", bar: "" }) },
    ]);

    const images = await documentsIn(imagesIn(folder.path), new AbortController().signal);

    const found = debianPackagesIn(images);

    assert.deepEqual(found, [
      { name: "base", copyright: "new" },
      { name: "libfoo-common", copyright: "of foo" },
      { name: "libfoo", copyright: "of foo" },
      { name: "bar", copyright: undefined },
    ]);
  });
});

describe("a release", () => {
  interface Contents {
    /** The license of git, a Debian package. */
    readonly ofGit?: string;
    /** The license of a module in the program "tool". */
    readonly ofModule?: string;
    /** What the image has of the licenses of the modules in that program. */
    readonly texts?: string;
    /** Further files of the image. */
    readonly files?: Layer;
    /** The packages of npm in the image, by their URLs, with their licenses. */
    readonly packages?: Readonly<Record<string, string>>;
  }

  /** Of an image with fluxd, which has code of ws. */
  const own: Layer = {
    "opt/weir": "",
    "opt/weir/LICENSE": "Apache",
    "opt/weir/NOTICE": "Weir",
    "opt/weir/THIRD-PARTY-NOTICES.txt": "The programs\n\nws 8.0.0 (MIT)\n",
    "usr/local/bin/node": "a program",
    ...copyright("node", "Node.js is licensed"),
  };
  const packages = { "pkg:npm/ws@8.0.0": "MIT" };

  /** One with an image that has git, and a program. */
  async function releaseWith({
    ofGit = "GPL-2",
    ofModule = "MIT",
    texts = "example.test/module v1.2.3: LICENSE\n\nDo as you like.\n",
    files = {},
    packages: ofNpm = {},
  }: Contents): Promise<TestRelease> {
    const release = new TestRelease();
    const { out } = release.context;
    const text = `${format}\n\nFiles: *\nCopyright: nobody\nLicense: ${ofGit}\n`;
    await writeImage(join(out, "images"), [
      { ...database({ git: "" }), ...copyright("git", text), ...copyright("tool", texts), ...files },
    ]);
    const libraries = Object.entries(ofNpm).map(([url, license]) => ({
      ...{ type: "library", name: url, purl: url },
      licenses: [{ license: { id: license } }],
    }));
    const purl = "pkg:golang/example.test/module@v1.2.3";
    const module = {
      ...{ type: "library", name: "module", version: "v1.2.3", purl },
      licenses: [{ license: { id: ofModule } }],
      properties: [{ name: "syft:location:0:path", value: "/usr/local/bin/tool" }],
    };
    const program = {
      ...{ type: "application", name: "tool", version: "1.2.3", purl: "pkg:golang/example.test/tool@1.2.3" },
      licenses: [{ license: { id: "MIT" } }],
      properties: [
        { name: "syft:package:foundBy", value: "binary-classifier-cataloger" },
        { name: "syft:location:0:path", value: "/usr/local/bin/tool" },
      ],
    };
    mkdirSync(join(out, "sbom"));
    writeFileSync(
      join(out, "sbom", "image-weir.cdx.json"),
      JSON.stringify({ components: [module, program, ...libraries] }),
    );
    return release;
  }

  it("may have an image with packages and modules under known licenses", async () => {
    using release = await releaseWith({});

    assert.deepEqual(await imageLicensesStep(release.context), []);
  });

  it("is refused for a Debian package under another license", async () => {
    using release = await releaseWith({ ofGit: "AGPL-3" });

    await assert.rejects(
      imageLicensesStep(release.context),
      /^Error: the Debian package git has the license AGPL-3, which isn't allowed/,
    );
  });

  it("is refused for a module of Go under another license", async () => {
    using release = await releaseWith({ ofModule: "GPL-2.0-only" });

    await assert.rejects(
      imageLicensesStep(release.context),
      /^Error: example\.test\/module v1\.2\.3 has the license GPL-2\.0-only, which isn't in the allow-list/,
    );
  });

  it("is refused if an image lacks the license of a module, or has that of another version", async () => {
    for (const texts of ["", "example.test/module v1.2.30: LICENSE\n\nDo as you like.\n"]) {
      using release = await releaseWith({ texts });

      await assert.rejects(
        imageLicensesStep(release.context),
        /^Error: the image weir lacks the license of example\.test\/module v1\.2\.3 in usr\/share\/doc\/tool\/copyright/,
      );
    }
  });

  it("may have an image with fluxd that has the licenses of all that is in it", async () => {
    using release = await releaseWith({ files: own, packages });

    assert.deepEqual(await imageLicensesStep(release.context), []);
  });

  for (const [path, what] of [
    ["usr/share/doc/node/copyright", "the license of Node.js"],
    ["opt/weir/LICENSE", "Weir's LICENSE"],
    ["opt/weir/NOTICE", "Weir's NOTICE"],
    ["opt/weir/THIRD-PARTY-NOTICES.txt", "the license of ws 8.0.0"],
  ] as const) {
    it(`is refused if an image lacks ${what}`, async () => {
      const files = Object.fromEntries(Object.entries(own).filter(([each]) => each !== path));
      using release = await releaseWith({ files, packages });

      await assert.rejects(imageLicensesStep(release.context), {
        message: `the image weir lacks ${what} in ${path}`,
      });
    });
  }

  it("is refused if an image has the LGPL, but not the GPL, to which it refers", async () => {
    const notices = "The programs\n\nopenpgp 6.0.0 (LGPL-3.0+)\n\nGNU LESSER GENERAL PUBLIC LICENSE\n";
    const files = { ...own, "opt/weir/THIRD-PARTY-NOTICES.txt": notices };
    using release = await releaseWith({ files, packages: { "pkg:npm/openpgp@6.0.0": "LGPL-3.0+" } });

    await assert.rejects(
      imageLicensesStep(release.context),
      /^Error: the image weir lacks the license of openpgp/,
    );
  });
});
