import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { versionFinding } from "../../../../../cmd/fluxctl/check/version.ts";

describe("versionFinding", () => {
  for (const [answer, verdict] of [
    [{ gitVersion: "v1.34.2" }, "passed"],
    [{ gitVersion: "v1.16.0-gke.1" }, "passed"],
    [{ gitVersion: "v1.15.12" }, "failed"],
    [{ gitVersion: "v2.0.0" }, "passed"],
    [{ gitVersion: "soon" }, "failed"],
    [{}, "failed"],
    [null, "failed"],
  ] as const) {
    it(`is ${verdict} for ${JSON.stringify(answer)}`, () => {
      assert.equal(versionFinding(answer, "https://example.test").verdict, verdict);
    });
  }
});
