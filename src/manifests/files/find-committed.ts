import { posix } from "node:path";
import { compareGoStrings } from "@weir/base";
import { chartFiles } from "./charts.ts";
import { type FoundFile, isManifestName } from "./find-files.ts";

/** A file in the tree of a commit. A name that isn't valid UTF-8 has its other bytes as "\xff". */
export interface TreeFile {
  readonly path: string;
  /** As in git: "100644", or "120000" for a link. */
  readonly mode: string;
}

/** What a name in a folder stands for. "other" is a link, a submodule, or something whose name isn't text. */
type Entry = Folder | "file" | "other";

type Folder = Map<string, Entry>;

/** The name of a file that may change what a checkout writes. */
const attributesFile = ".gitattributes";

/** Names that git refuses to check out, in any system's spelling of them. */
const refusedName = /^(\.{1,2}|(\.git|git~1)[. ]*(:.*)?)$/i;

/** It takes a checkout to tell. */
class UncertainError extends Error {
  override readonly name = "UncertainError";
}

/**
 * Finds the files of a commit as findManifestFiles does in a checkout of it. Undefined if it takes a checkout to tell: if
 * a path doesn't exist or leads out of the repository, if there are links, if attributes may change what's in files, or if
 * git doesn't check out the commit at all.
 */
export function findCommittedFiles(
  all: readonly TreeFile[],
  paths: readonly string[],
): readonly FoundFile[] | undefined {
  try {
    const root = treeOf(all);
    return (paths.length === 0 ? ["."] : paths).flatMap((path) => findBelow(root, namesIn(path)));
  } catch (error) {
    if (error instanceof UncertainError) {
      return undefined;
    }
    throw error;
  }
}

function treeOf(files: readonly TreeFile[]): Folder {
  const root: Folder = new Map();
  for (const { path, mode } of files) {
    const names = path.split("/");
    if (names.some((each) => refusedName.test(each))) {
      throw new UncertainError("git refuses to check out the commit");
    }
    const name = names.pop() ?? "";
    folderFor(root, names).set(name, mode.startsWith("100") && !path.includes("\\x") ? "file" : "other");
  }
  return root;
}

function folderFor(root: Folder, names: readonly string[]): Folder {
  let folder = root;
  for (const name of names) {
    const known = folder.get(name);
    const next = known instanceof Map ? known : new Map<string, Entry>();
    folder.set(name, next);
    folder = next;
  }
  return folder;
}

/** As when Go joins paths, slashes at either end don't matter. */
function namesIn(path: string): readonly string[] {
  const names = posix.join(".", path).split("/");
  if (names[0] === "..") {
    throw new UncertainError("the path leads out of the repository");
  }
  return names.filter((name) => name !== "" && name !== ".");
}

function findBelow(root: Folder, names: readonly string[]): readonly FoundFile[] {
  let end: Entry = root;
  let isInChart = isChart(root);
  for (const name of names) {
    const next: Entry | undefined = end instanceof Map ? end.get(name) : undefined;
    if (next === undefined || next === "other") {
      throw new UncertainError("the path doesn't exist, or is a link");
    }
    end = next;
    isInChart ||= end instanceof Map && isChart(end);
  }
  if (isInChart) {
    return [];
  }
  return end instanceof Map ? filesIn(end, names) : fileAt(names.join("/"));
}

/** Also checks that nothing in this folder makes its files uncertain. */
function isChart(folder: Folder): boolean {
  if (folder.has(attributesFile) || chartFiles.some((name) => folder.get(name) === "other")) {
    throw new UncertainError("a folder has attributes, or a link in place of a chart's file");
  }
  return chartFiles.every((name) => folder.has(name));
}

function fileAt(path: string): readonly FoundFile[] {
  return isManifestName(path) ? [{ path, source: path, isLink: false }] : [];
}

/** Git's own order differs, because it compares the name of a folder with a slash at its end. */
function filesIn(folder: Folder, names: readonly string[]): readonly FoundFile[] {
  if (isChart(folder)) {
    return [];
  }
  const entries = [...folder].sort(([a], [b]) => compareGoStrings(a, b));
  return entries.flatMap(([name, entry]) => {
    if (entry instanceof Map) {
      return filesIn(entry, [...names, name]);
    }
    if (entry === "other" && isManifestName(name)) {
      throw new UncertainError("a manifest is a link");
    }
    return entry === "file" ? fileAt([...names, name].join("/")) : [];
  });
}
