import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { engineApiReport } from "../../scripts/engine-api/report.ts";

const root = join(import.meta.dirname, "../..");

describe("docs/api/engine.api.md", () => {
  it("is what scripts/make-engine-api.ts makes of the engine's door", () => {
    assert.equal(readFileSync(join(root, "docs/api/engine.api.md"), "utf8"), engineApiReport(root));
  });
});
