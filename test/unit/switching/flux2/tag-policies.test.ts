import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseTagPolicy } from "../../../../src/switching/flux2/choose-tag-policy.ts";
import { orderTags } from "../../../../src/switching/flux2/pick-tags.ts";
import { imagesInTime } from "../../../support/flux2-install.ts";

describe("chooseTagPolicy", () => {
  /** Tags are in the order of time. */
  const chosen: readonly (readonly [title: string, pattern: string, tags: string, policy: unknown])[] = [
    ["a range of versions", "semver:~1.2", "1.2.0 1.2.1", { order: { kind: "semver", range: "~1.2" } }],
    ["a range without known tags", "semver:^1", "", { order: { kind: "semver", range: "^1" } }],
    [
      "numbers",
      "glob:*",
      "8 9 10",
      { filter: { pattern: "^(?P<part>[0-9]+)$", extract: "$part" }, order: { kind: "numerical" } },
    ],
    [
      "numbers after a branch",
      "glob:master-*",
      "master-9 dev-1 master-10",
      { filter: { pattern: "^master-(?P<part>[0-9]+)$", extract: "$part" }, order: { kind: "numerical" } },
    ],
    [
      "timestamps after a branch",
      "master-*",
      "master-20200101-ab master-20200301-cd",
      { filter: { pattern: "^master-(?P<part>.*)$", extract: "$part" }, order: { kind: "alphabetical" } },
    ],
    ["versions without a range", "*", "v1.9.0 v1.10.0", { order: { kind: "semver", range: "*" } }],
    [
      "several stars",
      "a*b*c.d",
      "a1b1c.d a2b1c.d",
      { filter: { pattern: "^a.*b.*c\\.d$" }, order: { kind: "alphabetical" } },
    ],
    [
      "a regular expression",
      "regexp:^prod-",
      "prod-1 prod-2",
      { filter: { pattern: "^prod-" }, order: { kind: "alphabetical" } },
    ],
  ];
  for (const [title, pattern, tags, policy] of chosen) {
    it(`keeps the choice of Flux v1 for ${title}`, () => {
      const found = chooseTagPolicy(pattern, imagesInTime(tags.split(" ").filter((tag) => tag !== "")));

      assert.deepEqual([found?.policy, found?.agrees], [policy, true]);
    });
  }

  const doubtful: readonly (readonly [title: string, pattern: string, tags: string])[] = [
    ["commits in no order", "glob:*", "c0ffee a11ce b0b"],
    ["a single tag", "glob:*", "1"],
    ["no known tags", "glob:*", ""],
    ["an older number that was built later", "glob:*", "2 1"],
    ["a tag beside the numbers", "glob:*", "1 2 latest 10"],
    ["versions of two parts", "semver:*", "1.0 1.1"],
  ];
  for (const [title, pattern, tags] of doubtful) {
    it(`says that it may choose otherwise with ${title}`, () => {
      const found = chooseTagPolicy(pattern, imagesInTime(tags.split(" ").filter((tag) => tag !== "")));

      assert.equal(found?.agrees, false);
      assert.match(found.comments.join(" "), /set suspend to false/);
    });
  }

  it("doesn't judge by images without a build time", () => {
    const images = imagesInTime(["1", "2"]).map(({ ref, digest, imageId, labels }) => ({
      ref,
      digest,
      imageId,
      labels,
    }));

    assert.equal(chooseTagPolicy("glob:*", images)?.agrees, false);
  });

  for (const pattern of ["semver:not a range", "regexp:("]) {
    it(`has no policy for ${pattern}`, () => {
      assert.equal(chooseTagPolicy(pattern, []), undefined);
    });
  }
});

describe("orderTags", () => {
  it("takes only versions of three parts, as Flux v2 does", () => {
    const order = { kind: "semver", range: ">=1.0" } as const;

    assert.deepEqual(orderTags({ order }, ["1.2", "v1.1.0", "1.0.5-rc1", "2", "latest", "1.0.9"]), [
      "v1.1.0",
      "1.0.9",
    ]);
  });

  it("sorts by what is extracted, and leaves out tags that don't match", () => {
    const filter = { pattern: "^a-(?P<part>[0-9]+)$", extract: "$part" };

    assert.deepEqual(orderTags({ filter, order: { kind: "numerical" } }, ["a-9", "b-99", "a-10", "a-x"]), [
      "a-10",
      "a-9",
    ]);
  });
});
