/** Something in an image's file system. Paths have no slash at their beginning. */
export type Entry = FileEntry | FolderEntry | LinkEntry | HardLinkEntry;

/** What all have. */
interface Common {
  readonly path: string;
  readonly uid: number;
  readonly gid: number;
  /** In seconds since the epoch. */
  readonly modified: number;
}

/** A file. */
export interface FileEntry extends Common {
  readonly kind: "file";
  readonly mode: number;
  readonly content: Buffer;
}

/** A folder. */
export interface FolderEntry extends Common {
  readonly kind: "folder";
  readonly mode: number;
}

/** A symbolic link. */
export interface LinkEntry extends Common {
  readonly kind: "link";
  readonly target: string;
}

/** A further name of a file in the same list. */
export interface HardLinkEntry extends Common {
  readonly kind: "hard link";
  /** The path of that file. */
  readonly target: string;
}

/** Everything of one path, by that path. */
export type Tree = ReadonlyMap<string, Entry>;

/** Who owns an entry and when it was changed, if not root at the beginning of time. */
export interface Ownership {
  readonly uid?: number;
  readonly gid?: number;
  readonly modified?: number;
}

/** A file, by default for everybody to read. */
export function file(
  path: string,
  content: Buffer | string,
  options: Ownership & { readonly mode?: number } = {},
): FileEntry {
  const { mode = 0o644, ...owner } = options;
  return { ...common(path, owner), kind: "file", mode, content: Buffer.from(content) };
}

/** A folder, by default for everybody to read. */
export function folder(path: string, options: Ownership & { readonly mode?: number } = {}): FolderEntry {
  const { mode = 0o755, ...owner } = options;
  return { ...common(path, owner), kind: "folder", mode };
}

/** A symbolic link. */
export function link(path: string, target: string, owner: Ownership = {}): LinkEntry {
  return { ...common(path, owner), kind: "link", target };
}

function common(path: string, { uid = 0, gid = 0, modified = 0 }: Ownership): Common {
  return { path, uid, gid, modified };
}
