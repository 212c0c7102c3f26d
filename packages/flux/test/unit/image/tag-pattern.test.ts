import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseTagPattern } from "../../../src/image/tag-pattern.ts";

const tags = [
  "1.0.0",
  "1.0.5",
  "v1.0.1",
  "1.2",
  "1",
  "1.0.0-rc1",
  "1.0.0+b1",
  "2.0.0",
  "latest",
  "LATEST",
  "v2",
  "abc",
  "1.x.3",
];

describe("parseTagPattern", () => {
  const matches: readonly (readonly [pattern: string, matched: readonly string[]])[] = [
    ["v*", ["v1.0.1", "v2"]],
    ["1.*.3", ["1.x.3"]],
    ["semver:*", ["1.0.0", "1.0.5", "v1.0.1", "1.2", "1", "1.0.0+b1", "2.0.0", "v2"]],
    ["semver:~1.0", ["1.0.0", "1.0.5", "v1.0.1", "1", "1.0.0+b1"]],
    ["semver:>=1.0.0-0", ["1.0.0", "1.0.5", "v1.0.1", "1.2", "1", "1.0.0-rc1", "1.0.0+b1", "2.0.0", "v2"]],
    ["semver:^1", ["1.0.0", "1.0.5", "v1.0.1", "1.2", "1", "1.0.0+b1"]],
    ["regex:b", ["1.0.0+b1", "abc"]],
    ["regexp:^v\\d", ["v1.0.1", "v2"]],
  ];
  for (const [pattern, matched] of matches) {
    it(`matches with ${pattern}: ${matched.join(" ")}`, () => {
      const parsed = parseTagPattern(pattern);

      assert.deepEqual(
        tags.filter((tag) => parsed.matches(tag)),
        matched,
      );
    });
  }

  it("writes every pattern with its prefix", () => {
    const texts = ["", "master-*", "glob:v*", "semver:^1", "regex:^a", "regexp:^a", "other:x"];

    assert.deepEqual(
      texts.map((text) => parseTagPattern(text).text),
      ["glob:", "glob:master-*", "glob:v*", "semver:^1", "regexp:^a", "regexp:^a", "glob:other:x"],
    );
  });

  it("matches everything it can order with a pattern that cannot be read, and says so", () => {
    const [constraint, expression] = [parseTagPattern("semver:new"), parseTagPattern("regexp:(")];

    assert.deepEqual(
      [constraint, expression].map(({ isValid }) => isValid),
      [false, false],
    );
    assert.deepEqual(
      [constraint, expression].map((pattern) => ["1.0", "latest"].filter((tag) => pattern.matches(tag))),
      [["1.0"], ["1.0", "latest"]],
    );
  });

  it("takes no time over an expression that makes others search for ever", () => {
    assert.equal(parseTagPattern("regexp:^(a+)+$").matches(`${"a".repeat(5_000)}!`), false);
  });
});
