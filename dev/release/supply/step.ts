import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { metafileOfPage, pageFolder } from "../../../scripts/build/page-contents.ts";
import { metafileOf } from "../../../scripts/build/program-contents.ts";
import { filesOfPrograms } from "../../../scripts/build/program-files.ts";
import { mergeMetafiles } from "../../../scripts/build/third-party.ts";
import { judgeLicenses } from "../../../scripts/licenses/judge.ts";
import { readProductionPackages } from "../../../scripts/licenses/read-packages.ts";
import { checksumsFile, checksumsOf, printChecksums, sha256Of } from "../checksums.ts";
import type { ReleaseContext, ReleaseStep } from "../context.ts";
import { packedPrograms } from "../packages/stage-programs.ts";
import { runTool } from "../run-tool.ts";
import { assertValidBom, type Bom, joinBoms } from "./boms.ts";
import { signFile, writePublicKey } from "./cosign.ts";
import { licenseComplaints } from "./image-licenses.ts";
import { imagesIn, ownFolder, scanImage } from "./images.ts";
import { materialsOf } from "./materials.ts";
import { writeLibraryBom, writeProgramsBom } from "./package-bom.ts";
import { provenanceStatement } from "./provenance.ts";

const provenanceFile = "provenance.intoto.json";

/** Lists in CycloneDX what the packages and the images contain. Fails if an image has something without its license. */
export const sbomStep: ReleaseStep = async (context) => {
  const { root, out, work, version, say, signal } = context;
  const folder = join(out, "sbom");
  mkdirSync(folder, { recursive: true });
  const programs = join(folder, "npm-weir.cdx.json");
  const packed = metafileOf(root, filesOfPrograms(packedPrograms, join(root, "dist", "lib")));
  await writeProgramsBom({
    root,
    contents: packed,
    output: programs,
    work: join(work, "sbom", "weir"),
    signal,
  });
  const made = [programs];
  for (const tarball of globSync("weir-[a-z]*.tgz", { cwd: join(out, "packages") }).toSorted()) {
    const name = basename(tarball, `-${version}.tgz`);
    const unpacked = join(work, "sbom", name);
    mkdirSync(unpacked, { recursive: true });
    const args = ["-xzf", join(out, "packages", tarball), "-C", unpacked];
    await runTool({ program: "tar", args }, signal);
    const output = join(folder, `npm-${name}.cdx.json`);
    await writeLibraryBom({ root, folder: join(unpacked, "package"), output, signal });
    made.push(output);
  }
  const complaints: string[] = [];
  for (const image of imagesIn(join(out, "images"))) {
    say(`listing what the image ${image.name} contains`);
    const scanned = await scanImage(image, context);
    const bom = joinBoms(
      scanned.bom,
      await bomOfOwnFiles([...scanned.files.keys()], join(work, image.name), context),
    );
    const text = `${JSON.stringify(bom, undefined, 2)}\n`;
    await assertValidBom(text, image.name);
    const output = join(folder, `image-${image.name}.cdx.json`);
    writeFileSync(output, text);
    made.push(output);
    complaints.push(...licenseComplaints({ ...scanned, bom }));
  }
  refuse(complaints);
  return made;
};

/** The packages in the bundles that are among an image's files. They leave no traces there. */
export async function bomOfOwnFiles(
  paths: readonly string[],
  work: string,
  { root, signal }: ReleaseContext,
): Promise<Bom> {
  const programs = paths.filter((path) => dirname(path) === `${ownFolder}/lib`).map((path) => basename(path));
  const hasPage = paths.includes(`${ownFolder}/${pageFolder}/index.html`);
  const contents = mergeMetafiles([metafileOf(root, programs), ...(hasPage ? [metafileOfPage(root)] : [])]);
  const output = join(work, "own.json");
  await writeProgramsBom({ root, contents, output, work, signal });
  return JSON.parse(readFileSync(output, "utf8")) as Bom;
}

/** Fails if a package of npm in what is delivered has a license that isn't in the allow-list. */
export const licensesStep: ReleaseStep = async ({ root, out }) => {
  refuse(judgeLicenses(readProductionPackages(root)));
  const notices = join(out, "THIRD-PARTY-NOTICES.txt");
  writeFileSync(notices, readFileSync(join(root, "dist", "THIRD-PARTY-NOTICES.txt")));
  return Promise.resolve([notices]);
};

/** The same package may be in several images. */
function refuse(complaints: readonly string[]): void {
  if (complaints.length > 0) {
    throw new Error([...new Set(complaints)].join("; "));
  }
}

/** States of which commit everything in `out` was made, and how; and then writes the checksums of it all. */
export const provenanceStep: ReleaseStep = async ({ root, out, version, commit, signal }) => {
  const materials = await materialsOf(root, signal);
  const made = await checksumsOf(out, signal);
  const statement = provenanceStatement({ version, commit, materials, made, node: process.version });
  const file = join(out, provenanceFile);
  writeFileSync(file, `${JSON.stringify(statement, undefined, 2)}\n`);
  const checksums = join(out, checksumsFile);
  const sums = new Map([...made, [provenanceFile, await sha256Of(file, signal)]]);
  writeFileSync(checksums, printChecksums(sums));
  return [file, checksums];
};

/** Signs the checksums, which speak for all other files, and the provenance. Without a key, it only says so. */
export const signStep: ReleaseStep = async ({ out, key = process.env["COSIGN_KEY"], say, signal }) => {
  if (key === undefined || key === "") {
    say("NOT SIGNED: no key was given (--key FILE, or COSIGN_KEY); whoever gets this can't see who made it");
    return [];
  }
  const signer = { key, signal };
  const made: string[] = [];
  for (const file of [checksumsFile, provenanceFile]) {
    made.push(await signFile(join(out, file), signer));
  }
  return [...made, await writePublicKey(join(out, "cosign.pub"), signer)];
};
