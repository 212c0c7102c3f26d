import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { goProgram } from "@weir/toolchain";
import { imageTools, licensesFile } from "../../../../scripts/image/tools.ts";
import type { Architecture } from "../architecture.ts";
import { pinnedPackages } from "../debian-packages.ts";
import { fetchedPackages } from "../fetched-packages.ts";
import { unpackedNode } from "../pinned-node.ts";
import { fullConfiguration, slimConfiguration } from "./configuration.ts";
import { type Deb, readDeb } from "./deb.ts";
import { databaseOf, debianTree } from "./debian-tree.ts";
import { type Entry, file, folder, link, type Tree } from "./entry.ts";

const root = join(import.meta.dirname, "../../../..");

/** A tool of generators that isn't in Debian. */
export interface ToolProgram {
  readonly command: string;
  /** The path of its executable. */
  readonly program: string;
  /** The licenses of the modules in it. */
  readonly licenses: string;
}

/** All of them, built for the architecture unless the cache has them. */
export async function toolPrograms(
  architecture: Architecture,
  signal: AbortSignal,
): Promise<readonly ToolProgram[]> {
  const programs: ToolProgram[] = [];
  for (const { command } of imageTools.downloads) {
    const target = { system: "linux", architecture: architecture.name, signal };
    const licenses = await readFile(join(root, licensesFile(command)), "utf8");
    programs.push({ command, program: await goProgram(command, target), licenses });
  }
  return programs;
}

/** What changes rarely, and both images have: Debian, the packages of the slim image, and Node.js. */
export async function baseTree(architecture: Architecture, signal: AbortSignal): Promise<Tree> {
  const debian = debianTree(await debsOf(architecture, "slim", signal), architecture);
  const node = await unpackedNode(architecture, signal);
  return withEntries(debian, [
    ...(await slimConfiguration(debian, signal)),
    folder("usr/local"),
    file("usr/local/bin/node", await readFile(node.program, { signal }), { mode: 0o755 }),
    folder("usr/share/doc/node"),
    file("usr/share/doc/node/copyright", await readFile(node.license, { signal })),
  ]);
}

/** What the large image has beside it: further packages, and the tools of generators. */
export async function toolsTree(
  architecture: Architecture,
  programs: readonly ToolProgram[],
  signal: AbortSignal,
): Promise<Tree> {
  const slim = await debsOf(architecture, "slim", signal);
  const full = await debsOf(architecture, "full", signal);
  const all = [...slim, ...full].toSorted((a, b) => (a.control < b.control ? -1 : 1));
  const debian = debianTree(full, architecture);
  const status = databaseOf(all).filter(({ path }) => path === "var/lib/dpkg/status");
  const tools = await Promise.all(
    programs.map(async ({ command, program, licenses }) => [
      file(`usr/local/bin/${command}`, await readFile(program, { signal }), { mode: 0o755 }),
      folder(`usr/share/doc/${command}`),
      file(`usr/share/doc/${command}/copyright`, licenses),
    ]),
  );
  return withEntries(debian, [
    ...status,
    ...fullConfiguration(),
    ...tools.flat(),
    link("usr/local/bin/envsubst", "/usr/bin/envsubst"),
  ]);
}

/** How many packages are unpacked at once. */
const readers = 4;

async function debsOf(
  architecture: Architecture,
  image: "slim" | "full",
  signal: AbortSignal,
): Promise<readonly Deb[]> {
  const paths = await fetchedPackages(pinnedPackages(architecture)[image], signal);
  const queue = paths.entries();
  const debs: Deb[] = [];
  const read = async (): Promise<void> => {
    for (const [index, path] of queue) {
      debs[index] = await readDeb(path, signal);
    }
  };
  await Promise.all(Array.from({ length: readers }, read));
  return debs;
}

/** The tree with further entries, which replace those at the same paths. */
export function withEntries(tree: Tree, entries: readonly Entry[]): Tree {
  return new Map([...tree, ...entries.map((entry) => [entry.path, entry] as const)]);
}
