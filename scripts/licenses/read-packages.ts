import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { bundledFolders, readPackage } from "../build/third-party.ts";
import type { LicensedPackage } from "./judge.ts";

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/**
 * The packages that whoever gets Weir gets too, or installs with it: those that aren't only for development, and those
 * with code in the bundles of `dist`. Those of other platforms, which aren't installed, are as in package-lock.json.
 */
export function readProductionPackages(root: string): readonly LicensedPackage[] {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));
  const { packages } = read("package-lock.json") as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const production = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes("node_modules/") && dev !== true && link !== true,
  );
  const bundled = bundledFolders(read("dist/.metafile.json") as Metafile);
  const folders = new Set([...production.map(([path]) => path), ...bundled]);
  return [...folders].toSorted().map((folder) => {
    if (existsSync(join(root, folder, "package.json"))) {
      return readPackage(join(root, folder));
    }
    const { version = "", license = "" } = packages[folder] ?? {};
    return { name: folder.replace(/^.*node_modules\//, ""), version, license };
  });
}
