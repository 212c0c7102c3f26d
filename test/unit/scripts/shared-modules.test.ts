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
  const chunks = [
    { name: "tool", files: ["/errors.ts", "/glob.ts", "/tool.ts"] },
    { name: "one", files: ["/errors.ts", "/glob.ts", "/client.ts", "/one.ts"] },
    { name: "two", files: ["/client.ts", "/engine.ts", "/two.ts"] },
    { name: "three", files: ["/engine.ts", "/three.ts"] },
  ];
  const rules = {
    restOf: (users: readonly string[]) => (users.includes("one") ? "tool-shared" : "tool-large"),
    isShared: (file: string) => file !== "/glob.ts",
  };
  const shared = shareModules(chunks, rules);

  it("names the modules alike, in whatever order files and chunks are found", () => {
    const [program, ...others] = chunks.map((chunk) => ({ ...chunk, files: chunk.files.toReversed() }));
    assert.ok(program !== undefined);

    assert.deepEqual([...shareModules([program, ...others.toReversed()], rules)], [...shared]);
  });

  it("leaves to the program what it needs, and the rest to chunks made for that", () => {
    assert.deepEqual(
      [...shared].map(([file, { owner }]) => [file, owner]),
      [
        ["/client.ts", "tool-shared"],
        ["/engine.ts", "tool-large"],
        ["/errors.ts", "tool"],
      ],
    );
  });

  it("has the owner give what it holds, and runs none of it before somebody asks for it", () => {
    assert.equal(
      entrySource("tool", shared, "/tool.ts"),
      'module.exports = { get shared2() { return require("/errors.ts"); }, };\nrequire("/tool.ts");',
    );
    assert.equal(
      entrySource("tool-shared", shared),
      'module.exports = { get shared0() { return require("/client.ts"); }, };',
    );
  });
});
