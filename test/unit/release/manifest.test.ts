import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { libraryManifest } from "../../../dev/release/packages/manifest.ts";

const library = {
  name: "@weir/part",
  description: "A part",
  doors: { ".": "packages/part/src/index.ts", "./wire": "src/wire/index.ts" },
  threads: [],
  readme: "",
  data: {},
};
const peers = { react: "^19.0.0" };
const ranges = { ws: "^8.0.0", "@types/ws": "^8.1.0", undici: "^7.0.0", unused: "1" };

describe("the package.json of a library", () => {
  it("has its entry points, and depends on what it imports and on the types that its types name", () => {
    const gathered = { imports: new Set(["undici", "ws"]), typeImports: new Set(["ws"]) };

    assert.deepEqual(libraryManifest(library, "1.2.3", { gathered, ranges, peers }), {
      name: "@weir/part",
      version: "1.2.3",
      description: "A part",
      license: "Apache-2.0",
      type: "module",
      engines: { node: ">=24" },
      sideEffects: false,
      exports: {
        ".": { types: "./lib/part/index.d.ts", default: "./lib/part/index.js" },
        "./wire": { types: "./lib/wire/index.d.ts", default: "./lib/wire/index.js" },
        "./package.json": "./package.json",
      },
      dependencies: { "@types/ws": "^8.1.0", undici: "^7.0.0", ws: "^8.0.0" },
    });
  });

  it("leaves optional what whoever uses it brings", () => {
    const gathered = { imports: new Set(["ws"]), typeImports: new Set(["react"]) };

    const manifest = libraryManifest(library, "1.2.3", { gathered, ranges, peers }) as Record<
      string,
      unknown
    >;

    assert.deepEqual(manifest["dependencies"], { ws: "^8.0.0" });
    assert.deepEqual(manifest["peerDependencies"], { react: "^19.0.0" });
    assert.deepEqual(manifest["peerDependenciesMeta"], { react: { optional: true } });
  });

  it("can't be made if nobody says which version of an import works", () => {
    const gathered = { imports: new Set(["left-pad"]), typeImports: new Set<string>() };

    assert.throws(
      () => libraryManifest(library, "1.2.3", { gathered, ranges, peers }),
      /left-pad is imported/,
    );
  });
});
