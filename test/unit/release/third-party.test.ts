import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Metafile } from "esbuild";
import {
  bundledFolders,
  mergeMetafiles,
  noticesName,
  partOfMetafile,
  printNotices,
} from "../../../scripts/build/third-party.ts";

/** The metafile of a bundle, from how many bytes each input has in it. */
function metafileOf(output: string, inputs: Readonly<Record<string, number>>): Metafile {
  const bytes = Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }] as const);
  return {
    inputs: Object.fromEntries(bytes.map(([path]) => [path, { bytes: 1, imports: [] }])),
    outputs: {
      [output]: { bytes: 1, inputs: Object.fromEntries(bytes), imports: [], exports: [] },
    },
  };
}

describe("the contents of bundles", () => {
  it("are the packages with code in one of them, also those inside of other packages", () => {
    const merged = mergeMetafiles([
      metafileOf("a.cjs", {
        "cmd/a/main.ts": 9,
        "node_modules/ws/lib/ws.js": 9,
        "node_modules/unused/index.js": 0,
      }),
      metafileOf("b.cjs", {
        "node_modules/@scope/x/y.js": 1,
        "node_modules/@scope/x/node_modules/ws/lib/ws.js": 1,
        "node_modules/ws/lib/other.js": 3,
        "shim:node_modules/shimmed/index.js": 1,
      }),
    ]);

    assert.deepEqual(Object.keys(merged.outputs), ["a.cjs", "b.cjs"]);
    assert.ok(!JSON.stringify(merged).includes("shim:"));
    assert.deepEqual(bundledFolders(merged), [
      "node_modules/@scope/x",
      "node_modules/@scope/x/node_modules/ws",
      "node_modules/ws",
    ]);
  });

  it("are fewer where only some bundles are delivered", () => {
    const merged = mergeMetafiles([
      metafileOf("dist/lib/a.cjs", { "node_modules/ws/lib/ws.js": 9, "src/a.ts": 9 }),
      metafileOf("dist/lib/b.cjs", { "node_modules/pg/lib/pg.js": 9, "src/a.ts": 9 }),
    ]);

    const { inputs, outputs } = partOfMetafile(merged, ["a.cjs", "a.cjs.LEGAL.txt"]);

    assert.deepEqual(
      [Object.keys(inputs), Object.keys(outputs)],
      [["node_modules/ws/lib/ws.js", "src/a.ts"], ["dist/lib/a.cjs"]],
    );
  });

  it("can be looked up in what is told", () => {
    const notices = printNotices([{ name: "ws", version: "8.0.0", license: "MIT", texts: [] }]);

    assert.deepEqual(
      [
        { name: "ws", version: "8.0.0" },
        { name: "ws", version: "8.0.1" },
        { name: "s", version: "8.0.0" },
      ].map((each) => noticesName(notices, each)),
      [true, false, false],
    );
  });

  it("is told with the license of each package", () => {
    const text = printNotices([
      { name: "ws", version: "8.0.0", license: "MIT", texts: ["Copyright\r\n(c) ws"] },
    ]);

    assert.match(text, /\n-{80}\n\nws 8\.0\.0 \(MIT\)\n\nCopyright\n\(c\) ws\n$/);
  });
});
