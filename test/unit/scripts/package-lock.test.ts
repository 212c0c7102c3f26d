import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const root = join(import.meta.dirname, "../../..");

/** What a lockfile tells of a package, by the folder that it is installed in. */
interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const files = [
  "package-lock.json",
  "scripts/pinned-node/package-lock.json",
  "dev/release/binaries/node/package-lock.json",
  "website/package-lock.json",
];

for (const file of files) {
  const { packages } = JSON.parse(readFileSync(join(root, file), "utf8")) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const installed = Object.entries(packages).filter(
    ([folder, { link }]) => folder.includes("node_modules/") && link !== true,
  );

  describe(file, () => {
    it("names the optional packages of every platform, without which npm ci fails there", () => {
      const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies).filter(
          (name) => !foldersFor(name, folder).some((place) => packages[place] !== undefined),
        ),
      );

      assert.deepEqual(missing, []);
    });

    it("has a checksum of every package", () => {
      const unchecked = installed.filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-"));

      assert.deepEqual(unchecked, []);
    });

    it("leaves the registry to npm's configuration", () => {
      const bound = installed.filter(([, { resolved }]) => resolved !== undefined);

      assert.deepEqual(bound, []);
    });
  });
}

/** Where a package that lies in `folder` finds another, from the inside outwards. */
function foldersFor(name: string, folder: string): readonly string[] {
  const parents = folder
    .split("/node_modules/")
    .map((_, index, parts) => parts.slice(0, index + 1).join("/node_modules/"));
  return [...parents.map((parent) => join(parent, "node_modules", name)), join("node_modules", name)];
}
