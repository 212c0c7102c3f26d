import { copyleft, mayBeCopyleft, ownNames, permissive, readByPeople } from "./allowed.ts";

const allowList = "scripts/licenses/debian/allowed.ts";

/** A package of Debian, and what Syft finds in its copyright file: names of licenses, or the file's SHA-256. */
export interface DebianPackage {
  readonly name: string;
  readonly licenses: readonly string[];
}

/** A sentence for each license that a package may not have, or that isn't known; empty if all is well. */
export function judgeDebianPackages(packages: readonly DebianPackage[]): readonly string[] {
  return packages.flatMap(judge);
}

function judge({ name, licenses }: DebianPackage): readonly string[] {
  if (licenses.length === 0) {
    return [`the Debian package ${name} has no copyright file in the image`];
  }
  return licenses.flatMap((license) => {
    const [, digest] = /^sha256:(.*)/.exec(license) ?? [];
    const read = digest === undefined ? [license] : readByPeople[digest];
    return (
      read
        ?.filter((each) => !mayHave(name, each))
        .map(
          (each) =>
            `the Debian package ${name} has the license ${each}, which isn't allowed for it (${allowList})`,
        ) ?? [
        `the copyright file of the Debian package ${name} isn't machine-readable: read it, and add to ${allowList} what it says, for the SHA-256 ${digest}`,
      ]
    );
  });
}

function mayHave(name: string, license: string): boolean {
  return (
    permissive.has(license.toLowerCase()) ||
    (mayBeCopyleft.has(name) && copyleft.some((each) => each.test(license))) ||
    ownNames.some(({ packages, names }) => packages.test(name) && names.includes(license))
  );
}
