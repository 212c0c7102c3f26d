import type { DebianPackage } from "../../../scripts/licenses/debian/judge.ts";
import { copyrightFile, type ImageDocuments, packageDatabase } from "./image-documents.ts";

/**
 * The Debian packages that are installed in images, by their own databases, with their copyright files; each once. Throws
 * if an image has none.
 */
export function debianPackagesIn(images: readonly ImageDocuments[]): readonly DebianPackage[] {
  const found = new Map<string, DebianPackage>();
  for (const { name, files } of images) {
    const packages = installedPackages(files.get(packageDatabase) ?? "");
    if (packages.length === 0) {
      throw new Error(
        `the image ${name} has no Debian packages in ${packageDatabase}, so nobody knows its licenses`,
      );
    }
    for (const each of withCopyright(packages, files)) {
      found.set(`${each.name}\n${each.copyright ?? ""}`, each);
    }
  }
  return [...found.values()];
}

/** An entry of dpkg's database. */
interface InstalledPackage {
  readonly name: string;
  /** What it was built from, together with other packages. */
  readonly source: string;
}

/** Those of dpkg's database, whose entries are separated by empty lines. */
function installedPackages(status: string): readonly InstalledPackage[] {
  return status
    .split(/\n\n+/)
    .filter((entry) => /^Status: .* installed$/m.test(entry))
    .map((entry) => {
      const [name = "", source = name] = ["Package", "Source"].map(
        (field) => new RegExp(`^${field}: (\\S+)`, "m").exec(entry)?.[1],
      );
      return { name, source };
    });
}

/** A package may share the folder of another one that was built from the same source; the link to it isn't in images. */
function withCopyright(
  packages: readonly InstalledPackage[],
  files: ImageDocuments["files"],
): readonly DebianPackage[] {
  const ownOf = ({ name }: InstalledPackage): string | undefined => files.get(copyrightFile(name));
  return packages.map((each) => {
    const related = packages.filter(({ source }) => source === each.source);
    return { name: each.name, copyright: [each, ...related].map(ownOf).find((found) => found !== undefined) };
  });
}
