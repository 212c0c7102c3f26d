import { gzipSync } from "node:zlib";
import { debianVersion, type PackageFacts, packageName } from "./debian-control.ts";
import type { ProgramFiles, Shell } from "./files-of-program.ts";
import type { Content } from "./write-files.ts";

const completionFiles: Readonly<Record<Shell, string>> = {
  bash: "usr/share/bash-completion/completions/fluxctl",
  zsh: "usr/share/zsh/vendor-completions/_fluxctl",
  fish: "usr/share/fish/vendor_completions.d/fluxctl.fish",
};

/** What goes into a package. */
export interface DebianContents {
  readonly facts: Omit<PackageFacts, "installedBytes">;
  /** The path of the program. */
  readonly executable: string;
  readonly files: ProgramFiles;
  /** In seconds since the epoch. */
  readonly sourceDate: number;
}

/** What a package installs, by path without the leading slash. */
export function debianLayout({
  facts,
  executable,
  files: { manPages, completions, legal },
  sourceDate,
}: DebianContents): ReadonlyMap<string, Content> {
  const name = packageName(facts.program);
  const doc = `usr/share/doc/${name}`;
  return new Map<string, Content>([
    [`usr/bin/${facts.program}`, { linkTo: executable }],
    ...[...manPages].map(([page, text]) => [`usr/share/man/${page}.gz`, packed(text)] as const),
    ...[...completions].map(([shell, text]) => [completionFiles[shell], text] as const),
    [`${doc}/copyright`, copyright(sourceDate)],
    [`${doc}/changelog.gz`, packed(changelog(facts, sourceDate))],
    // The text of Apache-2.0 comes with Debian.
    ...[...legal]
      .filter(([file]) => file !== "LICENSE")
      .map(([file, text]) => [`${doc}/${file}`, text] as const),
    [`usr/share/lintian/overrides/${name}`, overrides(name)],
  ]);
}

/** zlib writes no time and no name. */
function packed(text: string): Uint8Array {
  return gzipSync(text, { level: 9 });
}

function changelog({ program, version }: Omit<PackageFacts, "installedBytes">, sourceDate: number): string {
  const date = new Date(sourceDate * 1000).toUTCString().replace("GMT", "+0000");
  return `${packageName(program)} (${debianVersion(version)}) unstable; urgency=medium

  * Release ${version}.

 -- The Weir authors <noreply@weir.dev>  ${date}
`;
}

function copyright(sourceDate: number): string {
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Weir
Comment: The executable contains Node.js and packages of npm. Their licenses are
 in LICENSE.node.txt and THIRD-PARTY-NOTICES.txt beside this file, and NOTICE has
 more about them.

Files: *
Copyright: ${new Date(sourceDate * 1000).getUTCFullYear()} The Weir authors
License: Apache-2.0
 On Debian systems, the full text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
`;
}

/** Node.js comes with its libraries, and as its makers built it: to strip it would change what they tested. */
function overrides(name: string): string {
  return [
    "embedded-library *",
    "unstripped-binary-or-object *",
    "hardening-no-pie *",
    "initial-upload-closes-no-bugs *",
  ]
    .map((tag) => `${name}: ${tag}\n`)
    .join("");
}
