import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkSource, decodeYaml } from "@weir/yaml/go-yaml";
import fc from "fast-check";
import { yamlWord } from "../../../../../cmd/fluxctl/install/yaml-word.ts";

describe("yamlWord", () => {
  for (const [text, word] of [
    ["flux", "flux"],
    ["--git-url=git@example.test:org/repo", "--git-url=git@example.test:org/repo"],
    ["--git-url=https://$(USER):$(KEY)@example.test/r", "--git-url=https://$(USER):$(KEY)@example.test/r"],
    ["--git-user=Jo: the bot", '"--git-user=Jo: the bot"'],
    ["--git-user=Jo #1", '"--git-user=Jo #1"'],
    ["--git-user=two\nlines", '"--git-user=two\\nlines"'],
    ["--git-user=a\u2028b", '"--git-user=a\\u2028b"'],
    ["yes", '"yes"'],
    ["0123", '"0123"'],
    ["*", '"*"'],
    ["", '""'],
  ] as const) {
    it(`writes ${JSON.stringify(text)} as ${word}`, () => {
      assert.equal(yamlWord(text), word);
    });
  }

  it("reads back as what it was, on one line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const word = yamlWord(text);

        const values = [...decodeYaml(checkSource(`- ${word}\n- end\n`))].map(({ value }) => value);

        assert.deepEqual(values, [[text, "end"]]);
      }),
    );
  });
});
