import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Metafile } from "esbuild";
import { inputsBelow } from "../../../scripts/build/inputs-below.ts";

describe("inputsBelow", () => {
  const input = (...paths: readonly string[]) => ({
    bytes: 1,
    imports: paths.map((path) => ({ path, kind: "import-statement" as const })),
  });
  const metafile: Metafile = {
    inputs: {
      "a.ts": input("b.ts", "c.ts"),
      "b.ts": input("c.ts", "a.ts"),
      "c.ts": { bytes: 1, imports: [{ path: "d.ts", kind: "dynamic-import", external: true }] },
      "d.ts": input("e.ts"),
      "e.ts": input("node:fs"),
    },
    outputs: {},
  };

  it("follows imports, also in cycles, but none that are external", () => {
    assert.deepEqual(inputsBelow(metafile, "a.ts"), ["a.ts", "b.ts", "c.ts"]);
  });

  it("lists no modules of Node.js", () => {
    assert.deepEqual(inputsBelow(metafile, "d.ts"), ["d.ts", "e.ts"]);
  });
});
