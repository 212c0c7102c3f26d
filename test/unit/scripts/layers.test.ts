import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import layers from "../../../layers.json" with { type: "json" };
import { withLayersTable } from "../../../scripts/layers/table.ts";

const root = join(import.meta.dirname, "../../..");

describe("the layers", () => {
  it("stand in docs/architecture.md as layers.json has them", () => {
    const page = readFileSync(join(root, "docs/architecture.md"), "utf8");

    assert.equal(page, withLayersTable(page, layers), "run `npm run generate -- layers`");
  });

  it("are folders that there are, and import nothing above them", () => {
    const layerOf = new Map(layers.map(({ folder, layer }) => [folder, layer]));

    for (const { folder, layer, imports } of layers) {
      assert.ok(existsSync(join(root, folder)), folder);
      for (const imported of imports) {
        assert.ok((layerOf.get(imported) ?? Number.POSITIVE_INFINITY) <= layer, `${folder} → ${imported}`);
      }
    }
  });

  it("leave no page without its marks", () => {
    assert.throws(() => withLayersTable("# A page", layers), /has no <!-- layers/);
  });
});
