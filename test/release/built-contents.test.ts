import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { consoleEntries } from "../../dev/release/images/console-entries.ts";
import type { Entry } from "../../dev/release/images/tree/entry.ts";
import { weirEntries } from "../../dev/release/images/weir-entries.ts";
import type { Bom } from "../../dev/release/supply/boms.ts";
import { builtContentsOf } from "../../dev/release/supply/built-contents.ts";
import type { ImageDocuments } from "../../dev/release/supply/image-documents.ts";
import { missingNotices } from "../../dev/release/supply/missing-notices.ts";
import { writeProgramsBom } from "../../dev/release/supply/package-bom.ts";
import { builtPage } from "../support/images/built-page.ts";
import { root, TestRelease } from "./support.ts";

/** Packages that only one of the images has, by the names in their SBOMs. */
const ofWeir = ["express", "ink", "openpgp", "simple-git"];
const ofConsole = ["kysely", "mustache", "nodemailer", "pg", "pglite", "preact", "zod"];

/** What is known of an image with these entries. */
function documentsOf(entries: readonly Entry[]): ImageDocuments {
  const files = entries.flatMap((entry) =>
    entry.kind === "file" ? [[entry.path, entry.content.toString()] as const] : [],
  );
  return { name: "image", files: new Map(files), paths: new Set(entries.map(({ path }) => path)) };
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
    const image = documentsOf(await weirEntries(root, 0));

    const bom = await bomOf(image);

    assert.deepEqual([lists(bom, ofWeir), lists(bom, ofConsole)], [ofWeir, []]);
    assert.deepEqual(missingNotices(bom, image), []);
  });

  it("lists the packages in the console and its page, whose licenses the image has, and none of fluxd", async () => {
    const image = documentsOf(consoleEntries(root, 0));

    const bom = await bomOf(image);

    assert.deepEqual([lists(bom, ofWeir), lists(bom, ofConsole)], [[], ofConsole]);
    assert.deepEqual(missingNotices(bom, image), []);
    const others = new Map(image.files).set("opt/weir/console/page/licenses.txt", "");
    assert.match(missingNotices(bom, { ...image, files: others }).join("\n"), /lacks the license of preact /);
  });
});
