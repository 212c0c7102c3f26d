import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import type { Bom } from "../../dev/release/supply/boms.ts";
import { licenseComplaints } from "../../dev/release/supply/image-licenses.ts";
import { copyrightFile, type ImageContents } from "../../dev/release/supply/images.ts";
import { bomOfOwnFiles } from "../../dev/release/supply/step.ts";
import { builtPage } from "../support/images/built-page.ts";
import { root, run, TestRelease } from "./support.ts";

/** Packages that only one of the images has, by the names in their SBOMs. */
const ofWeir = ["ink", "openpgp", "simple-git"];
const ofConsole = ["kysely", "mustache", "nodemailer", "pg", "pglite", "preact", "zod"];

/** What an image has that docker/files.sh makes, and the SBOM of it. */
async function contentsOf(image: "console" | "weir"): Promise<ImageContents> {
  using release = new TestRelease();
  const { work } = release.context;
  const folder = join(work, image);
  await run("sh", ["docker/files.sh", image, folder], { cwd: root });
  const paths = globSync("opt/**", { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
  const files = new Map(paths.map((path) => [`/${path}`, readFileSync(join(folder, path), "utf8")]));
  // Of Node.js, which comes from elsewhere.
  files.set(copyrightFile("node"), "Node.js is licensed");
  const bom = await bomOfOwnFiles([...files.keys()], join(work, "bom"), release.context);
  return { name: "image", files, bom };
}

function lists(bom: Bom, names: readonly string[]): readonly string[] {
  const own = (bom.components ?? []).filter(({ purl = "" }) => !purl.includes("%40weir/"));
  return names.filter((name) => own.some((each) => each.name === name));
}

describe("the SBOM of what an image has of this repository", () => {
  before(() => builtPage());

  it("lists the packages in fluxd and fluxctl, whose licenses the image has, and none of the console", async () => {
    const image = await contentsOf("weir");

    assert.deepEqual([lists(image.bom, ofWeir), lists(image.bom, ofConsole)], [ofWeir, []]);
    assert.deepEqual(licenseComplaints(image), []);
  });

  it("lists the packages in the console and its page, whose licenses the image has, and none of fluxd", async () => {
    const image = await contentsOf("console");

    assert.deepEqual([lists(image.bom, ofWeir), lists(image.bom, ofConsole)], [[], ofConsole]);
    assert.deepEqual(licenseComplaints(image), []);
    const others = new Map(image.files).set("/opt/weir/console/page/licenses.txt", "");
    assert.match(licenseComplaints({ ...image, files: others }).join("\n"), /lacks the license of preact /);
  });
});
