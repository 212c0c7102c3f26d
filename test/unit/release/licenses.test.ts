import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { judgeLicenses } from "../../../scripts/licenses/judge.ts";

function judge(license: string, name = "some-package"): readonly string[] {
  return judgeLicenses([{ name, version: "1.0.0", license }]);
}

describe("the allow-list of licenses", () => {
  for (const license of ["MIT", "Apache-2.0", "(MIT OR GPL-3.0-only)", "MIT AND ISC", "(MIT OR CC0-1.0)"]) {
    it(`contains ${license}`, () => {
      assert.deepEqual(judge(license), []);
    });
  }

  for (const license of [
    "GPL-3.0-only",
    "MIT AND GPL-3.0-only",
    "AGPL-3.0",
    "SEE LICENSE IN LICENSE",
    "UNLICENSED",
  ]) {
    it(`doesn't contain ${license}`, () => {
      assert.match(
        judge(license)[0] ?? "",
        /^some-package 1\.0\.0 has the license .* isn't in the allow-list/,
      );
    });
  }

  it("doesn't contain a package that says nothing", () => {
    assert.match(judge("")[0] ?? "", /^some-package 1\.0\.0 has no known license/);
  });

  it("contains the LGPL only for the package of which NOTICE speaks", () => {
    assert.deepEqual(judge("LGPL-3.0+", "openpgp"), []);
    assert.equal(judge("LGPL-3.0+").length, 1);
  });

  it("contains MPL-2.0 only for modules of tools", () => {
    assert.deepEqual(judge("MPL-2.0", "github.com/hashicorp/errwrap"), []);
    assert.deepEqual(judge("Apache-2.0 AND MPL-2.0", "go.mozilla.org/sops/v3"), []);
    assert.equal(judge("MPL-2.0").length, 1);
  });
});
