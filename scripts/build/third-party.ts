import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

/** The folders in `node_modules` of the packages that have code in the outputs, sorted. */
export function bundledFolders({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? "");
  return [...new Set(folders)].filter((folder) => folder !== "").toSorted();
}

/** Reads a package that is installed in a folder. */
export function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string | { readonly type?: string };
  };
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  return {
    name,
    version,
    license: (typeof license === "string" ? license : license?.type) ?? "",
    texts: files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").trim()),
  };
}

const line = "-".repeat(80);

/** What has to be said of the packages whenever the bundles are passed on. */
export function printNotices(packages: readonly BundledPackage[]): string {
  const entries = packages.map(
    ({ name, version, license, texts }) => `${name} ${version} (${license})\n\n${texts.join("\n\n")}`,
  );
  const intro = "The programs contain code of these packages, under the licenses that follow.";
  return `${[intro, ...entries].join(`\n\n${line}\n\n`).replaceAll("\r\n", "\n")}\n`;
}
