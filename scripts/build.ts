/**
 * `npm run build`: writes dist/fluxd, dist/fluxctl, dist/weir, dist/weir-console, and man pages; with names of programs,
 * only these, without the others' packages. Each program is a launcher for a bundle in
 * dist/lib, which only needs Node.js, no node_modules. Bundles are CommonJS, because Node.js loads its own
 * modules faster for CommonJS, and keep their names, so that stack traces are readable.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { invariant } from "@weir/base";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { type Chunk, chunksPlugin, type Doors, fileOf } from "./build/chunks.ts";
import { launcher, starter } from "./build/launcher.ts";
import { noDevtools } from "./build/no-devtools.ts";
import { noExecutables } from "./build/no-executables.ts";
import { noSupportsColor } from "./build/no-supports-color.ts";
import { nodeOptions } from "./build/node-options.ts";
import { pglite, pgliteFiles } from "./build/pglite.ts";
import {
  entrySource,
  mustBeSingle,
  type ScannedChunk,
  type SharedModules,
  sharedModulesPlugin,
  shareModules,
} from "./build/shared-modules.ts";
import { bundledFolders, mergeMetafiles, printNotices, readPackage } from "./build/third-party.ts";
import { type OutputFile, writeTree } from "./build/write-tree.ts";
import { printFluxdPage, printManPages } from "./fluxctl-docs/man-pages.ts";
import { readFluxdFlags, readManual } from "./fluxctl-docs/manual.ts";

// esbuild, a program in Go, otherwise spends a quarter of its time on collecting garbage. It's started by the first build.
process.env["GOGC"] ??= "400";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const lib = join(dist, "lib");
const oldestNode = 24;

/** A program, and which of its files are loaded only on demand. */
interface Program {
  readonly name: keyof typeof nodeOptions;
  /** Its sources are in this folder. */
  readonly folder: string;
  readonly doors: readonly string[];
  /** The chunks that share so much with each other that no other chunk should load it. */
  readonly large: readonly string[];
  /** The chunks that each start loads, but not before something else has begun. */
  readonly startChunks: readonly string[];
}

const programs: readonly Program[] = [
  {
    name: "fluxctl",
    folder: "cmd/fluxctl",
    doors: [
      "cmd/fluxctl/check/cluster.ts",
      "cmd/fluxctl/commands/loaders.ts",
      "cmd/fluxctl/daemon/forward.ts",
      "cmd/fluxctl/diff/compare.ts",
      "cmd/fluxctl/export/flux2.ts",
      "cmd/fluxctl/flags/kube-config-namespace.ts",
      "cmd/fluxctl/install/manifests.ts",
      "cmd/fluxctl/logs/logs.ts",
      "cmd/fluxctl/saving/save-yaml.ts",
      "cmd/fluxctl/top/ink-screen.ts",
      "cmd/fluxctl/top/live-top.ts",
      "src/switching/comparison/local-diff.ts",
      "src/switching/comparison/offline.ts",
      "src/switching/takeover/takeover.ts",
    ],
    large: ["local-diff", "offline", "takeover"],
    startChunks: [],
  },
  {
    name: "fluxd",
    folder: "cmd/fluxd",
    doors: [
      "cmd/fluxd/git-secret.ts",
      "cmd/fluxd/listeners.ts",
      "cmd/fluxd/sops.ts",
      "packages/openpgp/src/key-store.ts",
    ],
    large: [],
    startChunks: ["listeners"],
  },
  { name: "weir", folder: "cmd/weir", doors: [], large: [], startChunks: [] },
  { name: "weir-console", folder: "hub/cmd", doors: [], large: [], startChunks: [] },
];

/** Of these, the ones with a package that waits while it's loaded, as only an ES module can: Ink loads WebAssembly. */
const modules: readonly string[] = ["cmd/fluxctl/top/ink-screen.ts"];

/** Files and folders that the bundles read from their own folder, like the sources do. */
const dataFiles = [
  "packages/demo/src/demo-repository",
  "packages/embedded-cluster/src/schema/api-data.json.br",
  "packages/embedded-cluster/src/schema/api-text.json.br",
];

async function main(names: readonly string[]): Promise<void> {
  const chosen = programs.filter(({ name }) => names.length === 0 || names.includes(name));
  console.error(`weir: building ${chosen.map(({ name }) => name).join(", ")}`);
  const files: OutputFile[] = [];
  const metafiles: Metafile[] = [];
  const done = new Set<string>();
  for (const program of chosen) {
    for (const { outputFiles, metafile } of await bundleProgram(program, done)) {
      files.push(...outputFiles);
      metafiles.push(metafile);
    }
    files.push(...startersOf(program.name));
  }
  const data = chosen.some(({ name }) => name === "weir-console")
    ? [...dataFiles, ...pgliteFiles]
    : dataFiles;
  files.push(...data.flatMap(copiesOf), ...(await manPages()), ...contentsOf(mergeMetafiles(metafiles)));
  // The page of the console is built by scripts/console-page.ts, on demand.
  writeTree(dist, files, [join(dist, "console")]);
  chosen.forEach(fillCompileCache);
}

/** Fills the cache of compiled code now, because the folder may be read-only later. */
function fillCompileCache({ name, startChunks }: Program): void {
  spawnSync(join(dist, name), ["--help"], { stdio: "ignore" });
  if (startChunks.length > 0) {
    const files = [`start-${name}.cjs`, ...startChunks.map((chunk) => `${chunk}.cjs`)];
    const script = files.map((file) => `require(${JSON.stringify(join(lib, file))});`).join("");
    spawnSync(process.execPath, [...nodeOptions[name], "--eval", script, name, "--help"], {
      stdio: "ignore",
    });
  }
}

function copiesOf(data: string): readonly OutputFile[] {
  const names = statSync(join(root, data)).isDirectory()
    ? globSync("**/*.*", { cwd: join(root, data) })
    : [""];
  return names.map((name) => ({
    path: join(lib, basename(data), name),
    contents: readFileSync(join(root, data, name)),
  }));
}

/** What the bundles are made of: for tools, and for whoever gets them. */
function contentsOf(metafile: Metafile): readonly OutputFile[] {
  const packages = bundledFolders(metafile).map((folder) => readPackage(join(root, folder)));
  return [
    { path: join(dist, ".metafile.json"), contents: JSON.stringify(metafile) },
    { path: join(dist, "THIRD-PARTY-NOTICES.txt"), contents: printNotices(packages) },
  ];
}

async function manPages(): Promise<readonly OutputFile[]> {
  const version = versionOfPackage();
  const pages = [...printManPages(await readManual(), version), printFluxdPage(readFluxdFlags(), version)];
  return pages.map(({ file, text }) => ({
    path: join(dist, "man", `man${extname(file).slice(1)}`, file),
    contents: text,
  }));
}

/**
 * Bundles a program and the chunks that it turns out to need, except those that another program has already
 * added.
 */
async function bundleProgram(
  { name: program, folder, doors: paths, large }: Program,
  done: Set<string>,
): Promise<readonly Bundle[]> {
  const absolute = (files: readonly string[]): readonly string[] => files.map((file) => join(root, file));
  const doors = { files: absolute(paths), modules: absolute(modules) };
  const main = { name: program, entry: join(root, folder, "main.ts"), isModule: false };
  const { chunks, scanned } = await scan(main, doors);
  const shared = shareModules(scanned, {
    restOf: (users) => `${program}-${users.every((user) => large.includes(user)) ? "large" : "shared"}`,
    isShared: (file) => mustBeSingle(readFileSync(file, "utf8")),
  });
  const owners = [...shared.values()].map(({ owner }): readonly [string, Partial<Chunk>] => [owner, {}]);
  const wanted = new Map([...owners, ...chunks.map((chunk) => [chunk.name, chunk] as const)]);
  const bundles: Bundle[] = [];
  for (const [name, { entry, isModule = false }] of wanted) {
    if (!done.has(name)) {
      done.add(name);
      bundles.push(await bundle({ name, entry, isModule, doors, shared }));
    }
  }
  return bundles;
}

/** The chunks of a program, starting with the program itself, and which of our files each contains. */
async function scan(
  program: Chunk,
  doors: Doors,
): Promise<{ readonly chunks: readonly Chunk[]; readonly scanned: readonly ScannedChunk[] }> {
  const chunks: Chunk[] = [];
  const scanned: ScannedChunk[] = [];
  for (let pending = [program]; pending.length > 0; ) {
    chunks.push(...pending);
    const found = new Map<string, Chunk>();
    for (const isModule of [false, true]) {
      const together = pending.filter((chunk) => chunk.isModule === isModule);
      if (together.length > 0) {
        scanned.push(...(await scanTogether(together, doors, (chunk) => found.set(chunk.name, chunk))));
      }
    }
    pending = [...found.values()].filter(({ name }) => !chunks.some((known) => known.name === name));
  }
  return { chunks, scanned };
}

/** Scans chunks of one kind in one build, which reads a file that several of them need only once. */
async function scanTogether(
  chunks: readonly Chunk[],
  doors: Doors,
  found: (chunk: Chunk) => void,
): Promise<readonly ScannedChunk[]> {
  const { metafile } = await build({
    ...options,
    ...(chunks.some(({ isModule }) => isModule) ? moduleOptions : {}),
    ...(chunks.some(({ name }) => keepsImports(name)) ? { supported: {} } : {}),
    entryPoints: chunks.map(({ name, entry }) => ({ in: entry, out: name })),
    outdir: lib,
    plugins: [chunksPlugin(doors, found), pglite, noExecutables, noDevtools, noSupportsColor],
    metafile: true,
  });
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path, ".js"), output]),
  );
  return chunks.map(({ name }) => {
    const output = outputs.get(name);
    invariant(output !== undefined, `the scan made ${name}`);
    // A door of a package imports much that the chunk doesn't use and that isn't in the output.
    const used = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    const ours = used.map(([path]) => path).filter((path) => /^(cmd|hub|packages|src)\//.test(path));
    return { name, files: ours.map((path) => join(root, path)) };
  });
}

interface ChunkToBundle {
  readonly name: string;
  /** Undefined for a chunk that contains only shared modules. */
  readonly entry: string | undefined;
  readonly isModule: boolean;
  readonly doors: Doors;
  readonly shared: SharedModules;
}

/** What esbuild made, and of what. */
interface Bundle {
  readonly outputFiles: readonly OutputFile[];
  readonly metafile: Metafile;
}

async function bundle({ name, entry, isModule, doors, shared }: ChunkToBundle): Promise<Bundle> {
  const loadsModule =
    keepsImports(name) || (entry !== undefined && loadersOfModules.includes(basename(entry)));
  return build({
    ...options,
    ...(isModule ? moduleOptions : {}),
    ...(loadsModule ? { supported: {} } : {}),
    ...entryOf(name, shared, entry),
    plugins: [
      chunksPlugin(doors, () => undefined),
      sharedModulesPlugin(name, shared),
      pglite,
      noExecutables,
      noDevtools,
      noSupportsColor,
    ],
    outfile: join(lib, fileOf({ name, isModule })),
    metafile: true,
  });
}

/** A chunk without shared modules is bundled as it is. */
function entryOf(
  name: string,
  shared: SharedModules,
  entry: string | undefined,
): Pick<BuildOptions, "entryPoints" | "stdin"> {
  const holds = [...shared.values()].some(({ owner }) => owner === name);
  // With a prefix like what plugins make up, because it's no file either.
  const stdin = {
    contents: entrySource(name, shared, entry),
    resolveDir: root,
    sourcefile: `entry:${name}.ts`,
  };
  return holds || entry === undefined ? { stdin } : { entryPoints: [entry] };
}

const options = {
  absWorkingDir: root,
  write: false,
  bundle: true,
  platform: "node",
  target: `node${oldestNode}`,
  format: "cjs",
  // Otherwise, import() of a Node.js module would start the loader for ES modules.
  supported: { "dynamic-import": false },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "linked",
  logLevel: "warning",
  define: {
    WEIR_VERSION: JSON.stringify(versionOfPackage()),
    "import.meta.dirname": "__dirname",
    "import.meta.url": "__filename",
  },
} satisfies BuildOptions;

/** What differs for a chunk that's an ES module. Packages in it may be CommonJS, and call `require`. */
const moduleOptions = {
  format: "esm",
  supported: {},
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
} as const satisfies BuildOptions;

/** The files that load such a chunk, with an import() that stays one. */
const loadersOfModules: readonly string[] = ["live-top.ts"];

/** PGlite has a variable `require` of its own, which would replace the one that an import() turns into. */
function keepsImports(chunk: string): boolean {
  return chunk === "weir-console";
}

function versionOfPackage(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return version;
}

function startersOf(name: Program["name"]): readonly OutputFile[] {
  return [
    { path: join(lib, `start-${name}.cjs`), contents: starter(name, oldestNode) },
    { path: join(dist, name), contents: launcher(name, oldestNode, nodeOptions[name]), executable: true },
  ];
}

await main(process.argv.slice(2));
