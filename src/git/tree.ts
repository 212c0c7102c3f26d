/** A file of a revision. `id` names its content: the same id is the same bytes. */
export interface TreeEntry {
  readonly path: string;
  /** 100644, 100755 for a program, 120000 for a symlink, 160000 for a submodule. */
  readonly mode: string;
  readonly id: string;
}

/** A file that two revisions have differently; "before" or "after" is undefined where it is not there. */
export interface TreeChange {
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** What a commit may hold, in bytes but for the number of files and folders. */
export interface TreeLimits {
  /** The list of them, as git prints it. */
  readonly listing: number;
  readonly files: number;
  readonly content: number;
  readonly path: number;
}

/** Why a commit is not checked out. */
export type TreeFault =
  | { readonly kind: "listing" | "files" }
  | { readonly kind: "content"; readonly largest: string; readonly size: number }
  | { readonly kind: "path"; readonly path: string };

/** Tells which limit the files that `git ls-tree -r -t -l -z` listed go beyond, without taking the list apart. */
export function faultOfTree(listing: string, limits: TreeLimits): TreeFault | undefined {
  let files = 0;
  let content = 0;
  let largest = { path: "", size: -1 };
  for (const line of linesOf(listing)) {
    const { path, size } = parseLine(line);
    files += 1;
    content += size;
    largest = size > largest.size ? { path, size } : largest;
    if (files > limits.files) {
      return { kind: "files" };
    }
    if (path.length * 3 > limits.path && Buffer.byteLength(path) > limits.path) {
      return { kind: "path", path };
    }
  }
  return content > limits.content
    ? { kind: "content", largest: largest.path, size: largest.size }
    : undefined;
}

/** The files that `git ls-tree -r -t -l -z` listed, without the folders, and the size of their content together. */
export function parseTree(listing: string): {
  readonly entries: readonly TreeEntry[];
  readonly content: number;
} {
  const entries: TreeEntry[] = [];
  let content = 0;
  for (const line of linesOf(listing)) {
    const { path, mode, id, size } = parseLine(line);
    content += size;
    if (mode !== folderMode) {
      entries.push({ path, mode, id });
    }
  }
  return { entries, content };
}

const folderMode = "040000";

function* linesOf(listing: string): Generator<string> {
  for (let begin = 0, end = listing.indexOf("\0"); end >= 0; end = listing.indexOf("\0", begin)) {
    yield listing.slice(begin, end);
    begin = end + 1;
  }
}

/** "mode type id size", the size "-" for what is no file, then a tab and the path. */
function parseLine(line: string): TreeEntry & { readonly size: number } {
  const tab = line.indexOf("\t");
  const [mode = "", , id = "", ...size] = line.slice(0, tab).split(" ");
  return { path: line.slice(tab + 1), mode, id, size: Number(size.at(-1)) || 0 };
}

/** The changes that `git diff-tree -r -z --raw` listed: ":mode mode id id status", then the path. */
export function parseTreeChanges(output: string): readonly TreeChange[] {
  const fields = output.split("\0");
  const changes: TreeChange[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [modeBefore = "", modeAfter = "", before = "", after = ""] = (fields[i] ?? "").slice(1).split(" ");
    const path = fields[i + 1] ?? "";
    changes.push({ path, before: entry(path, modeBefore, before), after: entry(path, modeAfter, after) });
  }
  return changes;
}

function entry(path: string, mode: string, id: string): TreeEntry | undefined {
  return mode === "000000" ? undefined : { path, mode, id };
}
