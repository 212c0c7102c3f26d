import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { metafileOf } from "../../../scripts/build/program-contents.ts";
import { filesOfPrograms } from "../../../scripts/build/program-files.ts";
import { judgeDebianPackages } from "../../../scripts/licenses/debian/judge.ts";
import { judgeLicenses } from "../../../scripts/licenses/judge.ts";
import { readProductionPackages } from "../../../scripts/licenses/read-packages.ts";
import { checksumsFile, checksumsOf, printChecksums, sha256Of } from "../checksums.ts";
import type { ReleaseStep } from "../context.ts";
import { packedPrograms } from "../packages/stage-programs.ts";
import type { Bom } from "./boms.ts";
import { builtContentsOf } from "./built-contents.ts";
import { signFile, writePublicKey } from "./cosign.ts";
import { debianPackagesIn } from "./debian-packages.ts";
import { ImageScanner, writeImageBom } from "./image-bom.ts";
import { documentsIn } from "./image-documents.ts";
import { imagesIn } from "./image-layouts.ts";
import { materialsOf } from "./materials.ts";
import { missingNotices } from "./missing-notices.ts";
import { modulesIn } from "./module-licenses.ts";
import { missingTexts } from "./module-texts.ts";
import { writeLibraryBom, writeProgramsBom } from "./package-bom.ts";
import { provenanceStatement } from "./provenance.ts";
import { run } from "./run.ts";

const provenanceFile = "provenance.intoto.json";

/** Lists in CycloneDX what the packages and the images contain. Needs both; a release without images has fewer SBOMs. */
export const sbomStep: ReleaseStep = async ({ root, out, work, version, sourceDate, say, signal }) => {
  const folder = join(out, "sbom");
  mkdirSync(folder, { recursive: true });
  const fileOf = (name: string): string => join(folder, `${name}.cdx.json`);
  const programs = fileOf("npm-weir");
  const packed = metafileOf(root, filesOfPrograms(packedPrograms, join(root, "dist", "lib")));
  await writeProgramsBom({
    root,
    contents: packed,
    output: programs,
    work: join(work, "sbom", "weir"),
    signal,
  });
  const made = [programs];
  const libraries = globSync("weir-*.tgz", { cwd: join(out, "packages") }).filter((name) =>
    /^weir-[a-z]/.test(name),
  );
  for (const tarball of libraries.toSorted()) {
    const name = basename(tarball, `-${version}.tgz`);
    const unpacked = join(work, "sbom", name);
    mkdirSync(unpacked, { recursive: true });
    await run({ program: "tar", args: ["-xzf", join(out, "packages", tarball), "-C", unpacked], signal });
    const output = fileOf(`npm-${name}`);
    await writeLibraryBom({ root, folder: join(unpacked, "package"), output, signal });
    made.push(output);
  }
  const layouts = join(work, "layouts");
  for (const archive of globSync("*.tar", { cwd: join(out, "images") }).toSorted()) {
    const layout = join(layouts, basename(archive, ".tar"));
    mkdirSync(layout, { recursive: true });
    await run({ program: "tar", args: ["-xf", join(out, "images", archive), "-C", layout], signal });
  }
  const scanner = new ImageScanner(join(work, "sbom"));
  const images = [...imagesIn(join(out, "images")), ...imagesIn(layouts)];
  const documents = await documentsIn(images, signal);
  for (const [index, image] of images.entries()) {
    say(`listing what the image ${image.name} contains`);
    const output = fileOf(`image-${image.name}`);
    const found = await scanner.scan(image, signal);
    const contents = builtContentsOf(documents[index]?.paths ?? new Set(), root);
    const folder = join(work, "sbom", `built-${image.name}`);
    const built = `${folder}.json`;
    await writeProgramsBom({ root, contents, output: built, work: folder, signal });
    const programs = JSON.parse(readFileSync(built, "utf8")) as Bom;
    await writeImageBom({ image, found, version, sourceDate, programs, output });
    made.push(output);
  }
  return made;
};

/** Fails if a package of npm in what is delivered has a license that isn't in the allow-list. */
export const licensesStep: ReleaseStep = async ({ root, out }) => {
  refuse(judgeLicenses(readProductionPackages(root)));
  const notices = join(out, "THIRD-PARTY-NOTICES.txt");
  writeFileSync(notices, readFileSync(join(root, "dist", "THIRD-PARTY-NOTICES.txt")));
  return Promise.resolve([notices]);
};

/**
 * Fails if a Debian package in an image, or a module of a Go program there, has a license that it may not have, or if the
 * license of such a module, of Node.js, of a package of npm, or of Weir isn't in the image. Needs the images and their SBOMs; makes nothing.
 */
export const imageLicensesStep: ReleaseStep = async ({ out, signal }) => {
  const images = await documentsIn(imagesIn(join(out, "images")), signal);
  const complaints = images.flatMap((image) => {
    const file = join(out, "sbom", `image-${image.name}.cdx.json`);
    const bom = JSON.parse(readFileSync(file, "utf8")) as Bom;
    return [...judgeLicenses(modulesIn(bom)), ...missingTexts(bom, image), ...missingNotices(bom, image)];
  });
  refuse([...judgeDebianPackages(debianPackagesIn(images)), ...complaints]);
  return [];
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
