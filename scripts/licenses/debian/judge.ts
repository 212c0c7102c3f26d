import { createHash } from "node:crypto";
import { copyleft, mayBeCopyleft, ownNames, permissive, readByPeople } from "./allowed.ts";
import { isFulfilled, licensesInCopyright } from "./copyright.ts";

const allowList = "scripts/licenses/debian/allowed.ts";

/** A package of Debian, and its copyright file; undefined if there is none. */
export interface DebianPackage {
  readonly name: string;
  readonly copyright: string | undefined;
}

/** A sentence for each package that has a license that it may not have, or of which that isn't known; empty if all is well. */
export function judgeDebianPackages(packages: readonly DebianPackage[]): readonly string[] {
  return packages.flatMap(judge);
}

function judge({ name, copyright }: DebianPackage): readonly string[] {
  if (copyright === undefined) {
    return [`the Debian package ${name} has no copyright file in the image`];
  }
  const digest = createHash("sha256").update(copyright).digest("hex");
  const licenses = licensesInCopyright(copyright) ?? readByPeople[digest];
  if (licenses === undefined) {
    return [
      `the copyright file of the Debian package ${name} isn't machine-readable: read it, and add to ${allowList} what it says, for the SHA-256 ${digest}`,
    ];
  }
  const wrong = licenses.filter((each) => !isFulfilled(each, (license) => mayHave(name, license)));
  return wrong.map(
    (license) =>
      `the Debian package ${name} has ${license === "" ? "files without a named license" : `the license ${license}`}, which isn't allowed for it (${allowList})`,
  );
}

function mayHave(name: string, license: string): boolean {
  return (
    permissive.has(license.toLowerCase()) ||
    (mayBeCopyleft.has(name) && copyleft.some((each) => each.test(license))) ||
    ownNames.some(({ packages, names }) => packages.test(name) && names.includes(license))
  );
}
