import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Metafile } from "esbuild";

/** A package of others, some of whose code is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As its package.json has it: an SPDX expression; "" if it has none. */
  readonly license: string;
  /** The texts of its license files. */
  readonly texts: readonly string[];
}

/** One metafile for several bundles, without the inputs that aren't files, but were made up for the bundling. */
export function mergeMetafiles(metafiles: readonly Metafile[]): Metafile {
  const inputs = metafiles.flatMap((metafile) => Object.entries(metafile.inputs));
  const outputs = metafiles.flatMap((metafile) => Object.entries(metafile.outputs));
  return {
    inputs: filesOf(inputs),
    outputs: Object.fromEntries(
      outputs.map(([path, output]) => [path, { ...output, inputs: filesOf(Object.entries(output.inputs)) }]),
    ),
  };
}

/** Plugins name what they make up with a prefix, such as "no-devtools:". */
function filesOf<T>(inputs: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(inputs.filter(([path]) => !/^[\w-]+:/.test(path)));
}

/** The part of a metafile that is about the outputs with these names. */
export function partOfMetafile({ inputs, outputs }: Metafile, names: readonly string[]): Metafile {
  const kept = Object.entries(outputs).filter(([path]) => names.includes(basename(path)));
  const needed = new Set(kept.flatMap(([, output]) => Object.keys(output.inputs)));
  return {
    inputs: Object.fromEntries(Object.entries(inputs).filter(([path]) => needed.has(path))),
    outputs: Object.fromEntries(kept),
  };
}

/** The folders in `node_modules` of the packages that have code in the outputs, sorted. */
export function bundledFolders({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? "");
  return [...new Set(folders)].filter((folder) => folder !== "").toSorted();
}

/** Texts that come with a package, although its own files lack them. */
const furtherTexts: readonly {
  readonly isMeant: (name: string, license: string) => boolean;
  readonly file: string;
}[] = [
  // The LGPL consists of additions to the GPL, to which it only refers.
  { isMeant: (_, license) => license.startsWith("LGPL-3.0"), file: "GPL-3.0.txt" },
  { isMeant: (name) => name === "@electric-sql/pglite", file: "PostgreSQL.txt" },
];

/** Those of a package. */
export function furtherTextsOf({
  name,
  license,
}: Pick<BundledPackage, "name" | "license">): readonly string[] {
  const folder = join(import.meta.dirname, "..", "licenses", "texts");
  return furtherTexts
    .filter(({ isMeant }) => isMeant(name, license))
    .map(({ file }) => readFileSync(join(folder, file), "utf8").trim());
}

/** Reads a package that is installed in a folder. */
export function readPackage(folder: string): BundledPackage {
  const {
    name,
    version,
    license: stated,
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string | { readonly type?: string };
  };
  const license = (typeof stated === "string" ? stated : stated?.type) ?? "";
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").trim());
  return { name, version, license, texts: [...texts, ...furtherTextsOf({ name, license })] };
}

const line = "-".repeat(80);

/** True if what `printNotices` returned speaks of a package in this version. */
export function noticesName(notices: string, each: Pick<BundledPackage, "name" | "version">): boolean {
  return notices.includes(`\n${headOf(each)}`);
}

function headOf({ name, version }: Pick<BundledPackage, "name" | "version">): string {
  return `${name} ${version} (`;
}

/** What has to be said of the packages whenever the bundles are passed on. */
export function printNotices(packages: readonly BundledPackage[]): string {
  const entries = packages.map(
    ({ license, texts, ...each }) => `${headOf(each)}${license})\n\n${texts.join("\n\n")}`,
  );
  const intro = "The programs contain code of these packages, under the licenses that follow.";
  return `${[intro, ...entries].join(`\n\n${line}\n\n`).replaceAll("\r\n", "\n")}\n`;
}
