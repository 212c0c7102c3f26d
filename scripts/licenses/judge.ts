import satisfies from "spdx-satisfies";

/** A package, and what its package.json says of its license: an SPDX expression; "" if it says nothing. */
export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** Licenses that every package may have. */
const allowed = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "PSF-2.0",
  "Unlicense",
];

/** Licenses that only a certain package may have, because something had to be done for it. */
const exceptions: Readonly<Record<string, string>> = {
  // NOTICE says where it is, and how to replace it.
  openpgp: "LGPL-3.0+",
};

/** A sentence for each package whose license isn't allowed, or isn't known; empty if all is well. */
export function judgeLicenses(packages: readonly LicensedPackage[]): readonly string[] {
  return packages.filter((each) => !isAllowed(each)).map(complaintOf);
}

function isAllowed({ name, license }: LicensedPackage): boolean {
  if (exceptions[name] === license) {
    return true;
  }
  try {
    return satisfies(license, allowed);
  } catch {
    return false;
  }
}

function complaintOf({ name, version, license }: LicensedPackage): string {
  const said = license === "" ? "has no license in its package.json" : `has the license ${license}`;
  return `${name} ${version} ${said}, which isn't in the allow-list (scripts/licenses/judge.ts)`;
}
