import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Component } from "../../../dev/release/supply/boms.ts";
import { licenseComplaints } from "../../../dev/release/supply/image-licenses.ts";

const notices = "/opt/weir/THIRD-PARTY-NOTICES.txt";
const ofTool = "/usr/share/doc/tool/copyright";

/** Of an image with fluxd, which has code of ws, and with a program in Go. */
const files: Readonly<Record<string, string>> = {
  "/opt/weir/LICENSE": "Apache",
  "/opt/weir/NOTICE": "Weir",
  [notices]: "The programs\n\nws 8.0.0 (MIT)\n",
  [ofTool]: "example.test/module v1.2.3: LICENSE\n\nDo as you like.\n",
  "/usr/share/doc/node/copyright": "Node.js is licensed",
};

interface Contents {
  /** The license of git, a Debian package. */
  readonly ofGit?: string;
  /** The license of a module in the program. */
  readonly ofModule?: string;
  /** A package of npm in the image, with its license. */
  readonly npm?: readonly [name: string, license: string];
  /** Files that differ. */
  readonly files?: Readonly<Record<string, string>>;
}

function complaints({
  ofGit = "GPL-2.0-only",
  ofModule = "MIT",
  npm = ["ws@8.0.0", "MIT"],
  files: others = {},
}: Contents): readonly string[] {
  const component = (
    purl: string,
    license: string,
    found: Readonly<Record<string, string>> = {},
  ): Component => ({
    ...{ type: "library", name: purl.replace(/^.*\/|@.*$/g, ""), version: purl.replace(/^.*@/, ""), purl },
    licenses: [{ license: { id: license } }],
    properties: Object.entries(found).map(([name, value]) => ({ name: `syft:${name}`, value })),
  });
  const place = { "location:0:path": "/usr/local/bin/tool" };
  const components = [
    component("pkg:deb/debian/git@1", ofGit),
    component("pkg:golang/example.test/module@v1.2.3", ofModule, place),
    // Syft recognizes the program itself, too.
    component("pkg:golang/example.test/tool@1.2.3", "MIT", {
      ...place,
      "package:foundBy": "binary-classifier-cataloger",
    }),
    component(`pkg:npm/${npm[0]}`, npm[1]),
  ];
  const all = new Map(Object.entries({ ...files, ...others }));
  return licenseComplaints({ name: "weir", bom: { components }, files: all });
}

describe("an image", () => {
  it("may have what is under known licenses, of which it has the texts", () => {
    assert.deepEqual(complaints({}), []);
  });

  const lgpl = "The programs\n\nopenpgp 6.0.0 (LGPL-3.0+)\n\nGNU LESSER GENERAL PUBLIC LICENSE\n";
  const ofModule = "the license of example.test/module v1.2.3 in /usr/share/doc/tool/copyright: run";
  const cases: Readonly<Record<string, readonly [Contents, string]>> = {
    "a Debian package under another license": [
      { ofGit: "AGPL-3" },
      "the Debian package git has the license AGPL-3, which isn't allowed for it",
    ],
    "a module of Go under another license": [
      { ofModule: "GPL-2.0-only" },
      "example.test/module v1.2.3 has the license GPL-2.0-only, which isn't in the allow-list",
    ],
    "no text of a module": [{ files: { [ofTool]: "" } }, `the image weir lacks ${ofModule}`],
    "the text of another version of a module": [
      { files: { [ofTool]: "example.test/module v1.2.30: LICENSE\n\nDo as you like.\n" } },
      `the image weir lacks ${ofModule}`,
    ],
    "no license of Node.js": [
      { files: { "/usr/share/doc/node/copyright": "" } },
      "the image weir lacks the license of Node.js in /usr/share/doc/node/copyright",
    ],
    "no license of Weir": [
      { files: { "/opt/weir/LICENSE": "" } },
      "the image weir lacks Weir's LICENSE in /opt/weir/LICENSE",
    ],
    "no notice of Weir": [
      { files: { "/opt/weir/NOTICE": "" } },
      "the image weir lacks Weir's NOTICE in /opt/weir/NOTICE",
    ],
    "no notice of a package": [
      { files: { [notices]: "" } },
      `the image weir lacks the license of ws 8.0.0 in ${notices}`,
    ],
    "the LGPL, but not the GPL, to which it refers": [
      { npm: ["openpgp@6.0.0", "LGPL-3.0+"], files: { [notices]: lgpl } },
      `the image weir lacks the license of openpgp 6.0.0 in ${notices}`,
    ],
  };
  for (const [what, [contents, complaint]] of Object.entries(cases)) {
    it(`may not have ${what}`, () => {
      const [first = "", ...others] = complaints(contents);

      assert.ok(first.startsWith(complaint), first);
      assert.deepEqual(others, []);
    });
  }
});
