import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseVersion } from "../../src/semver.ts";
import { parseVersionConstraint, satisfies } from "../../src/semver-constraint.ts";

const versions = [
  "0.0.3",
  "0.2.5",
  "0.5.3",
  "1.0.0-rc1",
  "1.0.0",
  "1.0.5",
  "1.2",
  "1.10.1",
  "2.0.0",
  "2.1.0",
];

describe("version constraints", () => {
  const cases: readonly (readonly [constraint: string, satisfiedBy: readonly string[]])[] = [
    ["1.0.5", ["1.0.5"]],
    ["=1.0", ["1.0.0", "1.0.5"]],
    ["*", ["0.0.3", "0.2.5", "0.5.3", "1.0.0", "1.0.5", "1.2", "1.10.1", "2.0.0", "2.1.0"]],
    ["1.x", ["1.0.0", "1.0.5", "1.2", "1.10.1"]],
    ["~1.0", ["1.0.0", "1.0.5"]],
    ["~>1", ["1.0.0", "1.0.5", "1.2", "1.10.1"]],
    ["^1.0.5", ["1.0.5", "1.2", "1.10.1"]],
    ["^0.2", ["0.2.5"]],
    ["^0.0.3", ["0.0.3", "0.5.3"]],
    ["!=1.0", ["0.0.3", "0.2.5", "0.5.3", "1.2", "1.10.1", "2.0.0", "2.1.0"]],
    ["!=1.0.5", ["0.0.3", "0.2.5", "0.5.3", "1.0.0-rc1", "1.0.0", "1.2", "1.10.1", "2.0.0", "2.1.0"]],
    [">1.0", ["1.2", "1.10.1", "2.0.0", "2.1.0"]],
    [">1", ["2.0.0", "2.1.0"]],
    [">1.0.0", ["1.0.5", "1.2", "1.10.1", "2.0.0", "2.1.0"]],
    ["<=1.0", ["0.0.3", "0.2.5", "0.5.3", "1.0.0", "1.0.5"]],
    ["=<1", ["0.0.3", "0.2.5", "0.5.3", "1.0.0", "1.0.5", "1.2", "1.10.1"]],
    [">=1.0.0-0 <1.1", ["1.0.0", "1.0.5"]],
    [">=1.0.0-0, <1.1-0", ["1.0.0-rc1", "1.0.0", "1.0.5"]],
    ["0.2.5 || >=2.0.1", ["0.2.5", "2.1.0"]],
    ["1.0.1 - 1.3", ["1.0.5", "1.2"]],
  ];
  for (const [constraint, satisfiedBy] of cases) {
    it(`takes by ${constraint}: ${satisfiedBy.join(" ")}`, () => {
      assert.deepEqual(versions.filter(takenBy(constraint)), satisfiedBy);
    });
  }

  it("refuses what is no constraint", () => {
    const texts = ["", "latest", ">", "1.2.3.4", ">=1 ||", "==1", "1.0.0-01", "1 2 three"];

    assert.deepEqual(
      texts.filter((text) => parseVersionConstraint(text) !== undefined),
      [],
    );
  });

  it("takes no time over a text with countless readings", () => {
    assert.equal(parseVersionConstraint(`${"1".repeat(5_000)}!`), undefined);
  });
});

function takenBy(text: string): (version: string) => boolean {
  const constraint = parseVersionConstraint(text);
  assert.ok(constraint);
  return (version) => {
    const parsed = parseVersion(version);
    return parsed !== undefined && satisfies(parsed, constraint);
  };
}
