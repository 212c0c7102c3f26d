import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { compareVersions, parseVersion, type Version } from "../../src/semver.ts";

describe("parseVersion", () => {
  it("fills in what is missing", () => {
    assert.deepEqual(["1", "v1.2", "1.2.3-rc.1+build.5"].map(parseVersion), [
      { major: 1, minor: 0, patch: 0, prerelease: "" },
      { major: 1, minor: 2, patch: 0, prerelease: "" },
      { major: 1, minor: 2, patch: 3, prerelease: "rc.1" },
    ]);
  });

  it("takes leading zeros in its numbers, but not in those of a pre-release", () => {
    assert.deepEqual(
      [parseVersion("01.02.03"), parseVersion("1.0.0-01")],
      [{ major: 1, minor: 2, patch: 3, prerelease: "" }, undefined],
    );
  });

  it("refuses what is no version", () => {
    const texts = ["", "latest", "1.x", "1.2.3.4", "V1", " 1", "1.2.3-", "1.2.3+", "1.2-a..b", "1\n", "-1"];

    assert.deepEqual(
      texts.filter((text) => parseVersion(text) !== undefined),
      [],
    );
  });

  it("keeps numbers of 64 bits apart, and refuses longer ones", () => {
    const largest = parseVersion("18446744073709551615");
    const nextToIt = parseVersion("18446744073709551614");

    assert.ok(largest && nextToIt && compareVersions(largest, nextToIt) > 0);
    assert.equal(parseVersion("18446744073709551616"), undefined);
  });
});

describe("compareVersions", () => {
  it("orders as semantic versions are ordered", () => {
    const texts = [
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
      "1.0.1",
      "1.2",
      "1.10",
      "2",
    ];

    assert.deepEqual(texts.toReversed().sort(byVersion), texts);
  });

  it("does not look at build metadata", () => {
    assert.equal(byVersion("1.0.0+a", "1.0.0+b"), 0);
  });

  it("is a total order", () => {
    const number = fc.constantFrom(0, 1, 2, 10);
    const prerelease = fc.constantFrom("", "a", "a.1", "a.b", "1", "2", "10", "a.1.0");
    const version = fc.record({ major: number, minor: number, patch: number, prerelease });

    fc.assert(
      fc.property(version, version, version, (a: Version, b: Version, c: Version) => {
        assert.equal(Math.sign(compareVersions(a, b)), -Math.sign(compareVersions(b, a)) || 0);
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) {
          assert.ok(compareVersions(a, c) <= 0);
        }
      }),
    );
  });
});

function byVersion(a: string, b: string): number {
  const [versionA, versionB] = [parseVersion(a), parseVersion(b)];
  assert.ok(versionA && versionB);
  return compareVersions(versionA, versionB);
}
