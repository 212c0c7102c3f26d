import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { entrySource, mustBeSingle, shareModules } from "../../../scripts/build/shared-modules.ts";

describe("mustBeSingle", () => {
  for (const text of [
    "export class A {}",
    "class A {}",
    "  abstract class A {}",
    "export abstract class A<T> extends B {}",
    "const A = class {};",
    'const mark = Symbol("a");',
    "let loaded: Types | undefined;",
    "const seen = new WeakMap<Signature, Signature | null>();",
    "export const seen: Seen = new Map();",
  ]) {
    it(`is true for ${text}`, () => assert.equal(mustBeSingle(text), true));
  }

  for (const text of [
    "// class of its own\nconst a = 1;",
    'const text = "class A {}";',
    "export interface A {}",
    'const names = new Set(["a"]);',
    "function count() {\n  let number = 0;\n  const seen = new Map();\n}",
  ]) {
    it(`is false for ${JSON.stringify(text)}`, () => assert.equal(mustBeSingle(text), false));
  }
});

describe("shareModules", () => {
  const shared = shareModules(
    [
      { name: "tool", files: ["/errors.ts", "/glob.ts", "/tool.ts"] },
      { name: "one", files: ["/errors.ts", "/glob.ts", "/client.ts", "/one.ts"] },
      { name: "two", files: ["/client.ts", "/engine.ts", "/two.ts"] },
      { name: "three", files: ["/engine.ts", "/three.ts"] },
    ],
    {
      restOf: (users) => (users.includes("one") ? "tool-shared" : "tool-large"),
      isShared: (file) => file !== "/glob.ts",
    },
  );

  it("leaves to the program what it needs, and the rest to chunks made for that", () => {
    assert.deepEqual(
      [...shared].map(([file, { owner }]) => [file, owner]),
      [
        ["/errors.ts", "tool"],
        ["/client.ts", "tool-shared"],
        ["/engine.ts", "tool-large"],
      ],
    );
  });

  it("has the owner give what it holds, and runs none of it before somebody asks for it", () => {
    assert.equal(
      entrySource("tool", shared, "/tool.ts"),
      'module.exports = { get shared0() { return require("/errors.ts"); }, };\nrequire("/tool.ts");',
    );
    assert.equal(
      entrySource("tool-shared", shared),
      'module.exports = { get shared1() { return require("/client.ts"); }, };',
    );
  });
});
