/** What is wrong with the licenses of what an image contains, and with the texts of them that it has. */
import { basename } from "node:path/posix";
import { pageFolder } from "../../../scripts/build/page-contents.ts";
import { furtherTextsOf, noticesName } from "../../../scripts/build/third-party.ts";
import { judgeDebianPackages } from "../../../scripts/licenses/debian/judge.ts";
import { judgeLicenses, type LicensedPackage } from "../../../scripts/licenses/judge.ts";
import { hasTextOf } from "../../../scripts/licenses/module-texts.ts";
import { type Bom, type Component, termOf } from "./boms.ts";
import { copyrightFile, type ImageContents, ownFolder } from "./images.ts";
import { isModule, moduleNameOf, modulesIn } from "./module-licenses.ts";

/** A sentence for each package with a license that it may not have, and for each license that the image lacks. */
export function licenseComplaints(image: ImageContents): readonly string[] {
  const { bom } = image;
  return [
    ...judgeDebianPackages(debianPackagesIn(bom)),
    ...judgeLicenses(modulesIn(bom)),
    ...missingFiles(image),
    ...missingTexts(image),
    ...missingNotices(image),
  ];
}

function debianPackagesIn({ components = [] }: Bom): Parameters<typeof judgeDebianPackages>[0] {
  return components
    .filter(({ purl = "" }) => purl.startsWith("pkg:deb/"))
    .map(({ name, licenses = [] }) => ({ name, licenses: licenses.map(termOf) }));
}

const notices = `${ownFolder}/THIRD-PARTY-NOTICES.txt`;

function missingFiles({ name, files }: ImageContents): readonly string[] {
  const needed = {
    "the license of Node.js": copyrightFile("node"),
    "Weir's LICENSE": `${ownFolder}/LICENSE`,
    "Weir's NOTICE": `${ownFolder}/NOTICE`,
  };
  return Object.entries(needed)
    .filter(([, path]) => (files.get(path) ?? "") === "")
    .map(([what, path]) => `the image ${name} lacks ${what} in ${path}`);
}

/** Those of modules in Go programs. */
function missingTexts({ name, bom, files }: ImageContents): readonly string[] {
  return (bom.components ?? []).filter(isListedModule).flatMap((component) => {
    const module = { path: moduleNameOf(component), version: component.version ?? "" };
    return programsOf(component)
      .map(copyrightFile)
      .filter((path) => !hasTextOf(files.get(path) ?? "", module))
      .map(
        (path) =>
          `the image ${name} lacks the license of ${module.path} ${module.version} in ${path}: run "npm run generate -- tool-licenses"`,
      );
  });
}

/** Syft also recognizes whole programs, whose modules it lists anyway. */
function isListedModule(component: Component): boolean {
  const [foundBy] = propertiesOf(component, /^syft:package:foundBy$/);
  return isModule(component) && foundBy !== "binary-classifier-cataloger";
}

/** The names of the programs that contain a module; "" for one of which Syft doesn't say it. */
function programsOf(component: Component): readonly string[] {
  const paths = propertiesOf(component, /^syft:location:\d+:path$/);
  return paths.length === 0 ? [""] : paths.map((path) => basename(path));
}

function propertiesOf({ properties = [] }: Component, name: RegExp): readonly string[] {
  return properties.filter((each) => name.test(each.name)).map(({ value }) => value);
}

/** Those of packages of npm. */
function missingNotices({ name, bom, files }: ImageContents): readonly string[] {
  const page = `${ownFolder}/${pageFolder}/licenses.txt`;
  const texts = [notices, page].map((path) => files.get(path) ?? "").join("\n");
  return npmPackagesIn(bom)
    .filter((each) => !noticesName(texts, each) || furtherTextsOf(each).some((text) => !texts.includes(text)))
    .map((each) => `the image ${name} lacks the license of ${each.name} ${each.version} in ${notices}`);
}

/** Those of others of which there is code in the image: no workspaces of ours. */
function npmPackagesIn({ components = [] }: Bom): readonly LicensedPackage[] {
  return components
    .filter(({ purl = "", type, scope }) => {
      return /^pkg:npm\/(?!%40weir\/)/.test(purl) && type === "library" && scope !== "excluded";
    })
    .map(({ purl = "", licenses: [license = {}] = [] }) => {
      const [, name = "", version = ""] = /^pkg:npm\/(.+)@([^?#]+)/.exec(purl) ?? [];
      return {
        name: decodeURIComponent(name),
        version: decodeURIComponent(version),
        license: termOf(license),
      };
    });
}
