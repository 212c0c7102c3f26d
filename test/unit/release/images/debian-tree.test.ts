import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { architectures } from "../../../../dev/release/images/architecture.ts";
import type { Deb } from "../../../../dev/release/images/tree/deb.ts";
import { debianTree, sortedHardLinks } from "../../../../dev/release/images/tree/debian-tree.ts";
import { type Entry, file, folder, link } from "../../../../dev/release/images/tree/entry.ts";

const [amd64, arm64] = architectures;

function deb(name: string, entries: readonly Entry[], control = ""): Deb {
  const fields = `Package: ${name}\nArchitecture: amd64\nVersion: 1.0\n${control}`;
  return { control: fields.trimEnd(), kept: new Map([["postinst", Buffer.from("#!/bin/sh\n")]]), entries };
}

function treeOf(debs: readonly Deb[], architecture = amd64): ReadonlyMap<string, Entry> {
  assert.ok(architecture);
  return debianTree(debs, architecture);
}

describe("the files of Debian packages", () => {
  it("are in /usr, to which /bin, /sbin, and /lib are links", () => {
    const tree = treeOf([deb("dash", [folder("bin"), file("bin/dash", "dash", { mode: 0o755 })])]);

    assert.deepEqual(
      ["bin", "usr/bin", "usr/bin/dash", "bin/dash", "lib64"].map((path) => tree.get(path)?.kind),
      ["link", "folder", "file", undefined, "link"],
    );
  });

  it("have a loader in /lib64 only where programs look for it", () => {
    assert.equal(treeOf([], arm64).has("lib64"), false);
  });

  it("don't have documentation, but licenses", () => {
    const paths = [
      "doc/git/README",
      "doc/git/copyright",
      "man/man1/git.1.gz",
      "locale/de/LC_MESSAGES/git.mo",
    ];

    const tree = treeOf([
      deb(
        "git",
        paths.map((path) => file(`usr/share/${path}`, "")),
      ),
    ]);

    assert.deepEqual(
      paths.filter((path) => tree.has(`usr/share/${path}`)),
      ["doc/git/copyright"],
    );
  });

  it("have the license of another package if they share it", () => {
    const tree = treeOf([
      deb("gcc-12-base", [file("usr/share/doc/gcc-12-base/copyright", "license")]),
      deb("libgcc-s1", [link("usr/share/doc/libgcc-s1", "gcc-12-base")]),
      deb("unzip", [link("usr/share/doc/unzip/changelog.gz", "History.gz")]),
    ]);

    assert.deepEqual(
      ["libgcc-s1", "unzip/changelog.gz"].map((path) => tree.get(`usr/share/doc/${path}`)?.kind),
      ["link", undefined],
    );
  });

  it("get the rights of folders from base-files, and otherwise from the first package", () => {
    const others = deb("aaa", [folder("tmp", { mode: 0o700 }), folder("srv", { mode: 0o711 })]);
    const base = deb("base-files", [folder("tmp", { mode: 0o1777 })]);

    const tree = treeOf([others, deb("bbb", [folder("srv")]), base]);

    const modes = ["tmp", "srv"].map((path) => {
      const entry = tree.get(path);
      return entry?.kind === "folder" ? entry.mode : undefined;
    });
    assert.deepEqual(modes, [0o1777, 0o711]);
  });

  it("have all folders that they are in", () => {
    const tree = treeOf([deb("git", [file("opt/git/bin/git", "")])]);

    assert.deepEqual([tree.get("opt")?.kind, tree.get("opt/git/bin")?.kind], ["folder", "folder"]);
  });
});

describe("dpkg's database", () => {
  it("says that the packages are installed, with the checksums of files that people may change", () => {
    const etc = {
      ...deb("tool", [file("etc/tool.conf", "a\n")]),
      kept: new Map([["conffiles", Buffer.from("/etc/tool.conf\n")]]),
    };

    const status = treeOf([etc]).get("var/lib/dpkg/status");

    assert.equal(
      status?.kind === "file" && status.content.toString(),
      `Package: tool
Status: install ok installed
Architecture: amd64
Version: 1.0
Conffiles:
 /etc/tool.conf 60b725f10c9c85c70d97880dfe8191b3

`,
    );
  });

  it("has each package's files and scripts, by its architecture where several can be installed", () => {
    const tree = treeOf([
      deb("libc6", [folder(""), file("lib/libc.so", "")], "Multi-Arch: same\n"),
      deb("git", []),
    ]);

    const list = tree.get("var/lib/dpkg/info/libc6:amd64.list");
    assert.equal(list?.kind === "file" && list.content.toString(), "/.\n/lib/libc.so\n");
    const script = tree.get("var/lib/dpkg/info/git.postinst");
    assert.equal(script?.kind === "file" && script.mode, 0o755);
  });
});

describe("names of one file", () => {
  it("follow the name that has the content, in the order of an archive", () => {
    const common = { path: "usr/bin/perl", uid: 0, gid: 0, modified: 0 };

    const sorted = sortedHardLinks([
      file("usr/bin/perl5", "perl"),
      { ...common, kind: "hard link", target: "usr/bin/perl5" },
      { ...common, kind: "hard link", path: "usr/bin/perl6", target: "usr/bin/perl5" },
    ]);

    assert.deepEqual(
      sorted.map((entry) => [entry.path, entry.kind === "hard link" ? entry.target : entry.kind]),
      [
        ["usr/bin/perl5", "usr/bin/perl"],
        ["usr/bin/perl", "file"],
        ["usr/bin/perl6", "usr/bin/perl"],
      ],
    );
  });
});
