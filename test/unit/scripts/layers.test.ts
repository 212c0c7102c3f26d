import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import layers from "../../../layers.json" with { type: "json" };
import { groups } from "../../../scripts/layers/groups.ts";
import { printPicture } from "../../../scripts/layers/picture.ts";
import { withGroups, withRooms } from "../../../scripts/layers/table.ts";
import { codeOf, usedImports } from "../../../scripts/layers/used-imports.ts";

const root = join(import.meta.dirname, "../../..");
const folders = layers.map(({ folder }) => folder);

describe("the pages about layers", () => {
  it("show what layers.json says", () => {
    const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
    const hub = readFileSync(join(root, "docs/hub.md"), "utf8");

    assert.equal(page, withGroups(page, layers), "run `npm run generate -- layers`");
    assert.equal(hub, withRooms(hub, layers), "run `npm run generate -- layers`");
  });

  it("must have markers", () => {
    assert.throws(() => withGroups("# A page", layers), /must have the lines <!-- groups/);
    assert.throws(() => withRooms("# A page", layers), /must have the lines <!-- rooms/);
  });
});

describe("the picture of the groups", () => {
  it("has an arrow for each import, but where other arrows lead to the same group", () => {
    const picture = printPicture([
      entry("base", "packages/base", []),
      entry("Flux's words", "packages/flux", ["packages/base"]),
      entry("fluxd", "cmd/fluxd", ["packages/base", "packages/flux"]),
    ]);

    assert.deepEqual(picture.match(/g\d --> g\d/g), ["g4 --> g3", "g3 --> g0"]);
  });

  it("can't have a group that imports a higher one", () => {
    const upward = [entry("base", "packages/base", ["src/git"]), entry("fluxd", "src/git", [])];

    assert.throws(() => printPicture(upward), /base must not import fluxd/);
  });
});

describe("layers.json", () => {
  it("has each folder once, and in it each import once", () => {
    assert.deepEqual(repeated(folders), []);
    for (const { folder, imports } of layers) {
      assert.deepEqual(repeated(imports), [], folder);
    }
  });

  it("has all product code", () => {
    const files = globSync(
      ["packages/*/src/**/*.ts", "src/**/*.ts", "cmd/**/*.ts", "hub/{cmd,src,page}/**/*.{ts,tsx}"],
      {
        cwd: root,
      },
    );

    const elsewhere = files.filter((file) => !folders.some((folder) => file.startsWith(codeOf(folder))));

    assert.ok(files.length > 1000, `${files.length} files`);
    assert.deepEqual(elsewhere, []);
  });

  it("names the groups, and each of them", () => {
    const named = new Set(layers.flatMap(({ group }) => group ?? []));

    assert.deepEqual([...named].toSorted(), groups.map(({ name }) => name).toSorted());
  });

  it("has existing folders that import nothing from a higher layer", () => {
    const layerOf = new Map(layers.map(({ folder, layer }) => [folder, layer]));

    for (const { folder, layer, imports } of layers) {
      assert.ok(existsSync(join(root, folder)), folder);
      for (const imported of imports) {
        assert.ok((layerOf.get(imported) ?? Number.POSITIVE_INFINITY) <= layer, `${folder} → ${imported}`);
      }
    }
  });

  it("lets the hub import packages only", () => {
    const imported = layers
      .filter(({ folder }) => folder.startsWith("hub/"))
      .flatMap(({ imports }) => imports);

    assert.deepEqual(
      imported.filter((folder) => !/^(hub|packages)\//.test(folder)),
      [],
    );
  });

  it("allows only imports that the code uses", () => {
    const unused = layers.flatMap(({ folder, imports }) => {
      const used = usedImports(root, folder, folders);
      return imports.filter((each) => !used.has(each)).map((each) => `${folder} → ${each}`);
    });

    assert.deepEqual(unused, [], "remove these imports from layers.json");
  });
});

function entry(group: string, folder: string, imports: readonly string[]) {
  return { group, layer: 0, folder, imports, purpose: "" };
}

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
