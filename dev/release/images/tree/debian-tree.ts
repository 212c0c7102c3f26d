import type { Architecture } from "../architecture.ts";
import { type Deb, databaseName, fieldOf, statusOf } from "./deb.ts";
import { type Entry, file, folder, link, type Tree } from "./entry.ts";

/** As in Debian's own small images: what only people read. */
const leftOut = [
  /^usr\/share\/doc\/.*(?<!\/copyright)$/,
  /^usr\/share\/(?:info|lintian|linda|groff|man|locale)\/./,
];

/**
 * What dpkg would leave behind after it unpacked these packages on an empty disk, without any of their scripts: files
 * and its own database. /bin, /sbin, and /lib are links to folders in /usr.
 */
export function debianTree(debs: readonly Deb[], architecture: Architecture): Tree {
  const tree = new Map<string, Entry>();
  const add = (entry: Entry): void => {
    addParents(tree, entry.path);
    const known = tree.get(entry.path);
    if (known === undefined || known.kind !== "folder" || entry.kind !== "folder") {
      tree.set(entry.path, entry);
    }
  };
  const merged = topFolders(architecture);
  merged.forEach((name) => {
    add(link(name, `usr/${name}`));
    add(folder(`usr/${name}`));
  });
  // The folders of the base system have the rights that base-files gives them.
  const inOrder = debs.toSorted((a, b) => Number(isBase(b)) - Number(isBase(a)));
  for (const deb of inOrder) {
    for (const entry of sortedHardLinks(deb.entries.map((each) => inUsr(each, merged)))) {
      if (entry.path !== "" && !merged.includes(entry.path) && !isLeftOut(entry)) {
        add(entry);
      }
    }
  }
  for (const entry of databaseOf(debs)) {
    add(entry);
  }
  return tree;
}

/** What only people read is left out; links by which a package shares the license of another stay. */
function isLeftOut({ path, kind }: Entry): boolean {
  const isShared = kind === "link" && /^usr\/share\/doc\/[^/]+$/.test(path);
  return !isShared && leftOut.some((what) => what.test(path));
}

/** dpkg's own files about the packages. */
export function databaseOf(debs: readonly Deb[]): readonly Entry[] {
  const records = debs.map((deb) => `${statusOf(deb)}\n\n`);
  return [
    file("var/lib/dpkg/status", records.join("")),
    file("var/lib/dpkg/available", ""),
    folder("var/lib/dpkg/updates"),
    file("var/lib/dpkg/info/format", "1\n"),
    ...debs.flatMap((deb) => infoOf(deb)),
  ];
}

function infoOf(deb: Deb): readonly Entry[] {
  const name = databaseName(deb);
  const paths = deb.entries.map(({ path }) => `/${path === "" ? "." : path}\n`);
  return [
    file(`var/lib/dpkg/info/${name}.list`, paths.join("")),
    ...[...deb.kept].map(([kind, content]) => {
      return file(`var/lib/dpkg/info/${name}.${kind}`, content, { mode: scripts.has(kind) ? 0o755 : 0o644 });
    }),
  ];
}

const scripts: ReadonlySet<string> = new Set(["preinst", "postinst", "prerm", "postrm", "config"]);

function topFolders({ loaderFolder }: Architecture): readonly string[] {
  return ["bin", "sbin", "lib", ...(loaderFolder === undefined ? [] : [loaderFolder])];
}

function isBase(deb: Deb): boolean {
  return fieldOf(deb, "Package") === "base-files";
}

function inUsr(entry: Entry, merged: readonly string[]): Entry {
  const moved = (path: string): string => {
    return merged.some((name) => path.startsWith(`${name}/`)) ? `usr/${path}` : path;
  };
  return entry.kind === "hard link"
    ? { ...entry, path: moved(entry.path), target: moved(entry.target) }
    : { ...entry, path: moved(entry.path) };
}

/** The same names of the same files, but it's the first name by the alphabet that has the content. */
export function sortedHardLinks(entries: readonly Entry[]): readonly Entry[] {
  const names = new Map<string, string[]>();
  for (const entry of entries) {
    if (entry.kind === "hard link") {
      names.set(entry.target, [...(names.get(entry.target) ?? [entry.target]), entry.path]);
    }
  }
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const [target, paths] of names) {
    const content = byPath.get(target);
    const [first = target, ...rest] = paths.toSorted();
    if (content?.kind !== "file") {
      throw new Error(`${first} is a link to ${target}, which isn't a file`);
    }
    byPath.set(first, { ...content, path: first });
    const { uid, gid, modified } = content;
    rest.forEach((path) => byPath.set(path, { kind: "hard link", path, target: first, uid, gid, modified }));
  }
  return [...byPath.values()];
}

function addParents(tree: Map<string, Entry>, path: string): void {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  if (parent !== "" && !tree.has(parent)) {
    addParents(tree, parent);
    tree.set(parent, folder(parent));
  }
}
