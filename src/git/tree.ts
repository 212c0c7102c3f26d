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
