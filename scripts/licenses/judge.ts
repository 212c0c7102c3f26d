import satisfies from "spdx-satisfies";

/** A package of npm or a module of Go, and its license: an SPDX expression; "" if nothing says what it is. */
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

/** Licenses that only certain packages may have, because something had to be done for them. */
const exceptions: readonly { readonly packages: RegExp; readonly license: string }[] = [
  // NOTICE says where it is, and how to replace it.
  { packages: /^openpgp$/, license: "LGPL-3.0+" },
  // Parts of tools that generators use (docker/tools.json). The license asks for the sources of its own files, which are
  // unmodified and on Go's module proxy.
  {
    packages: /^(github\.com\/hashicorp\/.*|github\.com\/yujunz\/go-getter|go\.mozilla\.org\/sops\/v3)$/,
    license: "MPL-2.0",
  },
];

/** A sentence for each package whose license isn't allowed, or isn't known; empty if all is well. */
export function judgeLicenses(packages: readonly LicensedPackage[]): readonly string[] {
  return packages.filter((each) => !isAllowed(each)).map(complaintOf);
}

function isAllowed({ name, license }: LicensedPackage): boolean {
  const exceptional = exceptions.filter(({ packages }) => packages.test(name)).map((each) => each.license);
  try {
    return satisfies(license, [...allowed, ...exceptional]);
  } catch {
    return false;
  }
}

function complaintOf({ name, version, license }: LicensedPackage): string {
  const said = license === "" ? "has no known license" : `has the license ${license}`;
  return `${name} ${version} ${said}, which isn't in the allow-list (scripts/licenses/judge.ts)`;
}
