import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import type { GoModule } from "@weir/toolchain";
import { hasTextOf, printModuleTexts } from "../../scripts/licenses/module-texts.ts";

/** Writes a module, with packages in these folders, and describes it. */
function moduleWith(
  root: string,
  path: string,
  { files, packages = [""] }: { readonly files: Readonly<Record<string, string>>; packages?: string[] },
): GoModule {
  const folder = join(root, path);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { path, version: "v1.0.0", folder, packages: packages.map((each) => join(folder, each)) };
}

describe("the licenses of the modules in a program", () => {
  it("are there once each, below all modules that have them", () => {
    using folder = new TempFolder();
    const modules = [
      moduleWith(folder.path, "a.test", { files: { LICENSE: "Do as you like.\n" } }),
      moduleWith(folder.path, "b.test", {
        files: { "license.md": "Do as you like.  \r\n", NOTICE: "By B." },
      }),
    ];

    const texts = printModuleTexts("tool", modules);

    const line = "-".repeat(80);
    assert.equal(
      texts,
      `The program tool contains code of these modules of Go, under the licenses that follow.

${line}

a.test v1.0.0: LICENSE
b.test v1.0.0: license.md

Do as you like.

${line}

b.test v1.0.0: NOTICE

By B.
`,
    );
    assert.ok(modules.every((module) => hasTextOf(texts, module)));
    assert.equal(hasTextOf(texts, { path: "a.test", version: "v1.0.1" }), false);
  });

  it("are those of parts that are in the program, and not those of other parts or of its manual", () => {
    using folder = new TempFolder();
    const files = {
      LICENSE: "Of all.",
      "LICENSE.docs": "Of the manual.",
      "license.go": "package license",
      "in/third/LICENSE": "Of a part.",
      "out/COPYING": "Of another part.",
    };
    const module = moduleWith(folder.path, "a.test", { files, packages: ["in/third"] });

    const texts = printModuleTexts("tool", [module]);

    assert.match(texts, /^a\.test v1\.0\.0: LICENSE\n\nOf all\.$/m);
    assert.match(texts, /^a\.test v1\.0\.0: in\/third\/LICENSE\n\nOf a part\.$/m);
    assert.doesNotMatch(texts, /manual|package|another/);
  });

  it("can't be printed without that of a module that has none", () => {
    using folder = new TempFolder();
    const module = moduleWith(folder.path, "a.test", { files: { "a.go": "package a" } });

    assert.throws(
      () => printModuleTexts("tool", [module]),
      /^Error: a\.test v1\.0\.0 has no file with its license/,
    );
  });
});
