import { basename, dirname, join } from "node:path";
import type { ReleaseContext } from "../context.ts";
import type { Architecture } from "./architecture.ts";
import { consoleEntries } from "./console-entries.ts";
import { pinnedPackages } from "./debian-packages.ts";
import { hashOfScripts } from "./imported-scripts.ts";
import { keptLayer, type Layer, makeLayer } from "./layer.ts";
import { pinnedNode } from "./pinned-node.ts";
import { baseTree, toolPrograms, toolsTree, withEntries } from "./tree/trees.ts";
import { weirEntries } from "./weir-entries.ts";

/** What layers need to know of a release. */
export type Sources = Pick<ReleaseContext, "root" | "sourceDate" | "work" | "signal">;

/** The layer at the bottom of all images; kept, because it changes only with the lock files. */
export async function baseLayer(architecture: Architecture, { signal }: Sources): Promise<Layer> {
  return keptLayer({
    name: `base-${architecture.name}`,
    createdBy: "Debian packages of docker/packages-lock.json, Node.js of scripts/pinned-node",
    sources: [
      hashOfScripts(scriptsOfLayers),
      ...pinnedPackages(architecture).slim.map(({ sha256 }) => sha256),
      pinnedNode(architecture).integrity,
    ],
    tree: () => baseTree(architecture, signal),
    signal,
  });
}

/** The layer that only the large image has; kept, too. */
export async function toolsLayer(architecture: Architecture, { signal }: Sources): Promise<Layer> {
  const { slim, full } = pinnedPackages(architecture);
  const programs = await toolPrograms(architecture, signal);
  return keptLayer({
    name: `tools-${architecture.name}`,
    createdBy: "Debian packages and tools of docker/tools.json",
    sources: [
      hashOfScripts(scriptsOfLayers),
      ...[...slim, ...full].map(({ sha256 }) => sha256),
      ...programs.flatMap(({ program, licenses }) => [basename(dirname(program)), licenses]),
    ],
    tree: () => toolsTree(architecture, programs, signal),
    signal,
  });
}

/** The layer with fluxd and fluxctl, the same for all images of these: the only one that changes with each commit. */
export async function weirLayer({ root, sourceDate, work, signal }: Sources): Promise<Layer> {
  return makeLayer({
    tree: withEntries(new Map(), await weirEntries(root, sourceDate)),
    folder: join(work, "images", "weir"),
    createdBy: "npm run build",
    signal,
  });
}

/** The layer with the console. */
export async function consoleLayer({ root, sourceDate, work, signal }: Sources): Promise<Layer> {
  return makeLayer({
    tree: withEntries(new Map(), consoleEntries(root, sourceDate)),
    folder: join(work, "images", "console"),
    createdBy: "npm run build, npm run build:page",
    signal,
  });
}

/** What makes the content of kept layers of their sources. */
export const scriptsOfLayers: readonly string[] = ["layer.ts", "tree/trees.ts"].map((name) =>
  join(import.meta.dirname, name),
);
