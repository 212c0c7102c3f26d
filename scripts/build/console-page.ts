import { join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Metafile } from "esbuild";
import { build, type Rolldown } from "vite";
import { judgeLicenses } from "../licenses/judge.ts";
import { printNotices, readPackage } from "./third-party.ts";
import { type OutputFile, writeTree } from "./write-tree.ts";

/** The oldest browsers in which the page works: the first ones with light-dark(). */
const browsers = ["chrome123", "firefox120", "safari17.5"];

/** Where the page is built from, and where to. */
export interface ConsolePageBuild {
  /** The folder with `hub` and `node_modules`. */
  readonly root: string;
  /** A folder that will contain the page and nothing else. */
  readonly out: string;
}

/**
 * Builds the console's page, with the licenses of what is in it. The same sources give the same bytes in every folder.
 * Resolves to what it's made of.
 */
export async function buildConsolePage({ root, out }: ConsolePageBuild): Promise<Metafile> {
  const output = await build({
    root: join(root, "hub", "page"),
    configFile: false,
    logLevel: "warn",
    mode: "production",
    define: { "process.env.NODE_ENV": '"production"' },
    // The page is written for React, and delivered with Preact: browsers read and run it faster.
    resolve: { alias: { react: "preact/compat" } },
    build: {
      write: false,
      target: browsers,
      sourcemap: false,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { onLog: warnUnlessServerOnly },
    },
  });
  const parts = (Array.isArray(output) ? output : [output]).flatMap(partsOf);
  const files: OutputFile[] = parts.map((part) => ({
    path: join(out, part.fileName),
    contents: part.type === "chunk" ? part.code : part.source,
  }));
  const all = [...files, { path: join(out, "licenses.txt"), contents: noticesOf(parts) }];
  writeTree(out, [...all, ...all.flatMap(compressed)]);
  return metafileOf(parts, root);
}

/** The forms in which the console sends a file to browsers that accept them. */
function compressed({ path, contents }: OutputFile): readonly OutputFile[] {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return [
    { path: `${path}.br`, contents: brotliCompressSync(contents, { params }) },
    { path: `${path}.gz`, contents: gzipSync(contents, { level: constants.Z_BEST_COMPRESSION }) },
  ];
}

/** As esbuild would tell it, as far as anybody asks. */
function metafileOf(parts: readonly Part[], root: string): Metafile {
  const metafile: Metafile = { inputs: {}, outputs: {} };
  for (const part of parts.filter((each) => each.type === "chunk")) {
    const files = Object.entries(part.modules).filter(([id]) => id.startsWith(`${root}/`));
    const inputs = files.map(([id, { renderedLength }]) => {
      return [relative(root, id.replace(/\?.*$/, "")), { bytesInOutput: renderedLength }] as const;
    });
    inputs.forEach(([path]) => (metafile.inputs[path] = { bytes: 0, imports: [] }));
    metafile.outputs[part.fileName] = {
      ...{ bytes: 0, imports: [], exports: [] },
      inputs: Object.fromEntries(inputs),
    };
  }
  return metafile;
}

/** Packages mark their files for servers that render React; here there is none. */
function warnUnlessServerOnly(
  level: Rolldown.LogLevel,
  log: Rolldown.RolldownLog,
  warn: Rolldown.LogOrStringHandler,
): void {
  if (log.code !== "MODULE_LEVEL_DIRECTIVE") {
    warn(level, log);
  }
}

type Part = Rolldown.OutputChunk | Rolldown.OutputAsset;

function partsOf(output: unknown): readonly Part[] {
  return (output as Rolldown.RolldownOutput).output;
}

/** What has to be said of the packages that are in the page. Throws if one has a license that isn't allowed. */
function noticesOf(parts: readonly Part[]): string {
  const folders = parts
    .flatMap((part) => (part.type === "chunk" ? part.moduleIds : []))
    .flatMap((id) => /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []);
  const packages = [...new Set(folders)].map((folder) => ({ folder, ...readPackage(folder) }));
  const complaints = judgeLicenses(packages);
  if (complaints.length > 0) {
    throw new Error(complaints.join("\n"));
  }
  return printNotices(packages.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
}
