import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import layers from "../../../layers.json" with { type: "json" };
import { withLayersTable } from "../../../scripts/layers/table.ts";
import { usedImports } from "../../../scripts/layers/used-imports.ts";

const root = join(import.meta.dirname, "../../..");

describe("the layers", () => {
  it("are the same in docs/architecture.md and layers.json", () => {
    const page = readFileSync(join(root, "docs/architecture.md"), "utf8");

    assert.equal(page, withLayersTable(page, layers), "run `npm run generate -- layers`");
  });

  it("are existing folders that import nothing from a higher layer", () => {
    const layerOf = new Map(layers.map(({ folder, layer }) => [folder, layer]));

    for (const { folder, layer, imports } of layers) {
      assert.ok(existsSync(join(root, folder)), folder);
      for (const imported of imports) {
        assert.ok((layerOf.get(imported) ?? Number.POSITIVE_INFINITY) <= layer, `${folder} → ${imported}`);
      }
    }
  });

  it("allow only imports that the code uses", () => {
    const folders = layers.map(({ folder }) => folder);
    const unused = layers.flatMap(({ folder, imports }) => {
      const used = usedImports(root, folder, folders);
      return imports.filter((each) => !used.has(each)).map((each) => `${folder} → ${each}`);
    });

    assert.deepEqual(unused, [], "remove these imports from layers.json");
  });

  it("are written only to a page with markers", () => {
    assert.throws(() => withLayersTable("# A page", layers), /must have the lines <!-- layers/);
  });
});
