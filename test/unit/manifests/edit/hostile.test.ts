import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EditError } from "@weir/yaml/ruamel-yaml";
import type { EditStyle } from "../../../../src/manifests/edit/edit-file.ts";
import { ManifestNotFoundError } from "../../../../src/manifests/edit/errors.ts";
import { setImage } from "../../../../src/manifests/edit/set-image.ts";

const target = { namespace: "default", kind: "deployment", name: "web" };
const own =
  "kind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: main, image: app:1}]}}}\n";

/** Nine levels, each nine times the one before: a few lines that would be a thousand million values. */
const aliasBomb = [
  "a0: &a0 [x, x, x, x, x, x, x, x, x]",
  ...Array.from({ length: 9 }, (_, level) => {
    const aliases = Array.from({ length: 9 }, () => `*a${level}`).join(", ");
    return `a${level + 1}: &a${level + 1} [${aliases}]`;
  }),
].join("\n");

describe("a hostile file", { timeout: 60_000 }, () => {
  for (const style of ["flux", "minimal"] satisfies EditStyle[]) {
    for (const [what, text] of [
      ["brackets nested ten thousand deep", `${own}x: ${"[".repeat(10_000)}${"]".repeat(10_000)}\n`],
      ["lists nested ten thousand deep", `${own}x:\n${"- ".repeat(10_000)}y\n`],
      ["braces that do not end", `${own}x: ${"{a: ".repeat(10_000)}\n`],
      ["a NUL byte", `${own}x: "a\0b"\n`],
      ["bytes that are no UTF-8", Buffer.concat([Buffer.from(own), Buffer.from([0xff, 0xfe, 0xfd])])],
      ["a line of ten million characters", `${own}x: ${"y".repeat(10_000_000)}\n`],
      ["an alias of nothing", `${own}x: *nothing\n`],
      ["a key that is there twice", `${own}kind: Deployment\n`],
    ] as const) {
      it(`is refused with its reason: ${what} (${style})`, () => {
        assert.throws(() => setImage(text, target, { container: "main", image: "app:2", style }), EditError);
      });
    }

    it(`is edited, and what it stands for many times is not written out: aliases of aliases (${style})`, () => {
      const edited = setImage(`${own}${aliasBomb}\n`, target, { container: "main", image: "app:2", style });

      assert.match(edited, /image: app:2/);
      assert.ok(edited.length < 2 * (own.length + aliasBomb.length));
    });

    it(`is edited though a line of it has four million characters (${style})`, () => {
      const edited = setImage(`${own}x: ${"y".repeat(4_000_000)}\n`, target, {
        container: "main",
        image: "app:2",
        style,
      });

      assert.match(edited.slice(0, 200), /image: app:2/);
    });

    it(`holds no keys that mean something to the program (${style})`, () => {
      const text = `__proto__: {kind: Deployment, metadata: {name: web}}\nconstructor: {prototype: {polluted: 1}}\n`;

      assert.throws(
        () => setImage(text, target, { container: "main", image: "app:2", style }),
        (error) => error instanceof EditError || error instanceof ManifestNotFoundError,
      );
      assert.equal(Reflect.get({}, "polluted"), undefined);
      const kept = setImage(`${own}__proto__: {polluted: 1}\n`, target, {
        container: "main",
        image: "app:2",
        style,
      });
      assert.match(kept, /__proto__: \{polluted: 1\}/);
      assert.equal(Reflect.get({}, "polluted"), undefined);
    });
  }
});
