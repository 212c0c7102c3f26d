import { furtherTextsOf, noticesName } from "../../../scripts/build/third-party.ts";
import type { Bom, Component } from "./boms.ts";
import { copyrightFile, type ImageDocuments, ownFolder, pageLicensesFile } from "./image-documents.ts";

const nodeProgram = "usr/local/bin/node";

/** A sentence for each license that an image must have beside those of Debian and Go, and hasn't. */
export function missingNotices(bom: Bom, image: ImageDocuments): readonly string[] {
  const complain = (what: string, where: string): string =>
    `the image ${image.name} lacks ${what} in ${where}`;
  const missing = neededFiles(image)
    .filter(({ path }) => (image.files.get(path) ?? "") === "")
    .map(({ what, path }) => complain(what, path));
  const noticesFile = `${ownFolder}/THIRD-PARTY-NOTICES.txt`;
  const notices = [noticesFile, pageLicensesFile].map((path) => image.files.get(path) ?? "").join("\n");
  const unnamed = packagesIn(bom).filter(
    (each) => !noticesName(notices, each) || furtherTextsOf(each).some((text) => !notices.includes(text)),
  );
  return [
    ...missing,
    ...unnamed.map(({ name, version }) => complain(`the license of ${name} ${version}`, noticesFile)),
  ];
}

function neededFiles({ paths }: ImageDocuments): readonly { readonly what: string; readonly path: string }[] {
  const ofNode = { what: "the license of Node.js", path: copyrightFile("node") };
  const own = ["LICENSE", "NOTICE"].map((name) => ({
    what: `Weir's ${name}`,
    path: `${ownFolder}/${name}`,
  }));
  return [...(paths.has(nodeProgram) ? [ofNode] : []), ...(paths.has(ownFolder) ? own : [])];
}

interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** Those of others of which there is code in the image: no workspaces of ours. */
function packagesIn({ components = [] }: Bom): readonly NpmPackage[] {
  return components.filter(isOfOthers).map(({ purl = "", licenses = [] }) => {
    const [, name = "", version = ""] = /^pkg:npm\/(.+)@([^?#]+)/.exec(purl) ?? [];
    const [{ expression, license } = {}] = licenses;
    return {
      name: decodeURIComponent(name),
      version: decodeURIComponent(version),
      license: expression ?? license?.id ?? license?.name ?? "",
    };
  });
}

function isOfOthers({ purl = "", type, scope }: Component): boolean {
  return /^pkg:npm\/(?!%40weir\/)/.test(purl) && type === "library" && scope !== "excluded";
}
