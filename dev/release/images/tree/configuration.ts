import { alternative } from "./alternatives.ts";
import { certificateEntries } from "./certificates.ts";
import { type Entry, file, folder, link, type Tree } from "./entry.ts";

/** The user of the images that don't run as root. */
export const ownUser = { name: "weir", id: 1000, home: "home/flux" };

/**
 * What the scripts of the packages of the slim image would do on a machine of their own, as far as anybody would
 * notice: no script runs, so that images of every architecture are made in the same way, and are the same each time.
 */
export async function slimConfiguration(tree: Tree, signal: AbortSignal): Promise<readonly Entry[]> {
  return [
    ...folders,
    ...copies.map(([from, to]) => file(to, contentOf(tree, from))),
    file("etc/passwd", `${contentOf(tree, "usr/share/base-passwd/passwd.master").toString()}${users}`),
    file("etc/group", `${contentOf(tree, "usr/share/base-passwd/group.master").toString()}${groups}`),
    file("etc/timezone", "Etc/UTC\n"),
    link("etc/localtime", "/usr/share/zoneinfo/Etc/UTC"),
    file("etc/dpkg/dpkg.cfg.d/small", withoutDocs),
    file("etc/apt/sources.list.d/debian.sources", archives),
    ...alternative({ name: "awk", program: "/usr/bin/mawk", priority: 5, otherNames: ["nawk"] }),
    ...alternative({ name: "pager", program: "/bin/more", priority: 50 }),
    ...alternative({ name: "which", program: "/usr/bin/which.debianutils", priority: 0 }),
    ...alternative({ name: "pinentry", program: "/usr/bin/pinentry-curses", priority: 50 }),
    ...(await certificateEntries(tree, signal)),
  ];
}

/** The same for what the large image has beside it. */
export function fullConfiguration(): readonly Entry[] {
  return alternative({ name: "awk", program: "/usr/bin/gawk", priority: 10, otherNames: ["nawk"] });
}

const own = { uid: ownUser.id, gid: ownUser.id };

const folders: readonly Entry[] = [
  ...["dev", "etc/opt", "home", "media", "mnt", "opt", "proc", "run", "srv", "sys", "var/opt"],
  ...["bin", "etc", "games", "include", "lib", "sbin", "share", "src"].map((name) => `usr/local/${name}`),
]
  .concat("usr/local/share/ca-certificates", "usr/local/share/man")
  .map((path): Entry => folder(path))
  .concat([
    folder("root", { mode: 0o700 }),
    folder("run/lock", { mode: 0o1777 }),
    folder("tmp", { mode: 0o1777 }),
    folder("var/tmp", { mode: 0o1777 }),
    folder("var/mail", { mode: 0o2775, gid: 8 }),
    link("var/spool/mail", "../mail"),
    link("usr/local/man", "share/man"),
    link("etc/dpkg/origins/default", "debian"),
    link("var/run", "/run"),
    link("var/lock", "/run/lock"),
    folder(ownUser.home, own),
  ]);

/** Files that a package brings as a template. */
const copies: readonly (readonly [string, string])[] = [
  ["usr/share/libc-bin/nsswitch.conf", "etc/nsswitch.conf"],
  ["usr/share/base-files/profile", "etc/profile"],
  ["usr/share/base-files/dot.bashrc", "root/.bashrc"],
  ["usr/share/base-files/dot.profile", "root/.profile"],
];

const users = `${ownUser.name}:*:${ownUser.id}:${ownUser.id}::/${ownUser.home}:/bin/bash
`;

const groups = `_ssh:*:101:
${ownUser.name}:*:${ownUser.id}:
`;

const withoutDocs = `path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
${["info", "lintian", "groff", "man", "locale"].map((name) => `path-exclude /usr/share/${name}/*\n`).join("")}`;

const archives = ["debian bookworm bookworm-updates", "debian-security bookworm-security"]
  .map((each) => {
    const [archive = "", ...suites] = each.split(" ");
    return `Types: deb
URIs: http://deb.debian.org/${archive}
Suites: ${suites.join(" ")}
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`;
  })
  .join("\n");

/** The content of a file that a package brings. */
export function contentOf(tree: Tree, path: string): Buffer {
  const entry = tree.get(path);
  if (entry?.kind !== "file") {
    throw new Error(`the packages don't have the file ${path}`);
  }
  return entry.content;
}
