import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import type { Bom } from "../../dev/release/supply/boms.ts";
import { builtContentsOf } from "../../dev/release/supply/built-contents.ts";
import type { ImageDocuments } from "../../dev/release/supply/image-documents.ts";
import { missingNotices } from "../../dev/release/supply/missing-notices.ts";
import { writeProgramsBom } from "../../dev/release/supply/package-bom.ts";
import { builtPage } from "../support/images/built-page.ts";
import { root, run, TestRelease } from "./support.ts";

/** Packages that only one of the images has, by the names in their SBOMs. */
const ofWeir = ["express", "ink", "openpgp", "simple-git"];
const ofConsole = ["kysely", "mustache", "nodemailer", "pg", "pglite", "preact", "zod"];

/** What is known of an image that has what docker/files.sh makes. */
async function documentsOf(image: "console" | "weir", release: TestRelease): Promise<ImageDocuments> {
  const folder = join(release.context.work, image);
  await run("sh", ["docker/files.sh", image, folder], { cwd: root });
  const paths = globSync("opt/**", { cwd: folder });
  const files = paths
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => [path, readFileSync(join(folder, path), "utf8")] as const);
  return { name: "image", files: new Map(files), paths: new Set(paths) };
}

/** The SBOM of what was built here and is in an image. */
async function bomOf({ paths }: ImageDocuments): Promise<Bom> {
  using release = new TestRelease();
  const { work, signal } = release.context;
  const output = join(work, "built.cdx.json");
  await writeProgramsBom({ root, contents: builtContentsOf(paths, root), output, work, signal });
  return JSON.parse(readFileSync(output, "utf8")) as Bom;
}

function lists(bom: Bom, names: readonly string[]): readonly string[] {
  const own = (bom.components ?? []).filter(({ purl = "" }) => !purl.includes("%40weir/"));
  return names.filter((name) => own.some((each) => each.name === name));
}

describe("the SBOM of what an image has of this repository", () => {
  before(() => builtPage());

  it("lists the packages in fluxd and fluxctl, whose licenses the image has, and none of the console", async () => {
    using release = new TestRelease();
    const image = await documentsOf("weir", release);

    const bom = await bomOf(image);

    assert.deepEqual([lists(bom, ofWeir), lists(bom, ofConsole)], [ofWeir, []]);
    assert.deepEqual(missingNotices(bom, image), []);
  });

  it("lists the packages in the console and its page, whose licenses the image has, and none of fluxd", async () => {
    using release = new TestRelease();
    const image = await documentsOf("console", release);

    const bom = await bomOf(image);

    assert.deepEqual([lists(bom, ofWeir), lists(bom, ofConsole)], [[], ofConsole]);
    assert.deepEqual(missingNotices(bom, image), []);
    const others = new Map(image.files).set("opt/weir/console/page/licenses.txt", "");
    assert.match(missingNotices(bom, { ...image, files: others }).join("\n"), /lacks the license of preact /);
  });
});
