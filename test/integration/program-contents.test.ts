import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { contentsOfPrograms, noticesFile, noticesOf } from "../../scripts/build/program-contents.ts";
import { filesOfPrograms } from "../../scripts/build/program-files.ts";

const root = join(import.meta.dirname, "..", "..");
const lib = join(root, "dist", "lib");

/** A file that only one program has, and a package with code that only it has. */
const marks = [
  { program: "fluxctl", file: "ink-screen.mjs", mention: /^ink \d\S* \(MIT\)$/m },
  { program: "fluxd", file: "key-store.cjs", mention: /^openpgp \d\S* \(LGPL-3\.0\+\)$/m },
  {
    program: "weir-console",
    file: "pglite.wasm",
    mention: /^@electric-sql\/pglite \d\S* \(Apache-2\.0\)$/m,
  },
];

describe("what is delivered of a build", () => {
  for (const { program } of marks) {
    it(`is what ${program} needs, with the licenses of that`, () => {
      const contents = contentsOfPrograms(root, [program]);

      const paths = contents.map(({ path }) => path);
      const notices = String(contents.find(({ path }) => path === noticesFile)?.contents);
      for (const each of marks) {
        const isOwn = each.program === program;
        assert.equal(paths.includes(each.program), isOwn, each.program);
        assert.equal(paths.includes(`lib/${each.file}`), isOwn, each.file);
        assert.equal(each.mention.test(notices), isOwn, String(each.mention));
      }
      assert.ok(paths.includes("LICENSE") && paths.includes("NOTICE"));
    });
  }

  it("is each file of the folder lib for some program", () => {
    const all = readdirSync(lib).filter((name) => !name.startsWith("."));

    assert.deepEqual(filesOfPrograms(["fluxctl", "fluxd", "weir", "weir-console"], lib), all.toSorted());
  });

  it("has data for the programs that read it", () => {
    const dataOf = (...programs: readonly string[]): readonly string[] =>
      filesOfPrograms(programs, lib).filter((name) => !/\.([cm]js|txt)$/.test(name));

    assert.deepEqual(dataOf("fluxctl", "fluxd"), ["api-data.json.br", "api-text.json.br"]);
    assert.deepEqual(dataOf("fluxd", "weir"), ["api-data.json.br", "api-text.json.br", "demo-repository"]);
    assert.deepEqual(dataOf("weir-console"), [
      "demo-repository",
      "initdb.wasm",
      "pglite.data",
      "pglite.wasm",
    ]);
  });

  it("has the GPL, to which the LGPL refers, and the license of PostgreSQL, which is in PGlite", () => {
    const [ofFluxd, ofFluxctl, ofConsole] = ["fluxd", "fluxctl", "weir-console"].map((program) =>
      noticesOf(root, filesOfPrograms([program], lib)),
    );

    const gpl = /^ *GNU GENERAL PUBLIC LICENSE\n +Version 3/m;
    const postgres = /PostgreSQL Database Management System/;
    assert.deepEqual(
      [ofFluxd, ofFluxctl, ofConsole].map((text = "") => [gpl.test(text), postgres.test(text)]),
      [
        [true, false],
        [false, false],
        [false, true],
      ],
    );
  });

  it("has all licenses where all programs are", () => {
    const notices = readFileSync(join(root, "dist", noticesFile), "utf8");

    assert.deepEqual(
      marks.filter(({ mention }) => !mention.test(notices)),
      [],
    );
  });
});
