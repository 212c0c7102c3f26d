import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { judgeDebianPackages } from "../../../scripts/licenses/debian/judge.ts";

function judge(license: string, name = "some-package"): readonly string[] {
  return judgeDebianPackages([{ name, licenses: ["MIT", license] }]);
}

describe("the allow-list of Debian packages", () => {
  for (const license of ["Expat", "BSD-3-Clause", "Apache-2.0", "Zlib"]) {
    it(`lets every package have ${license}`, () => {
      assert.deepEqual(judge(license), []);
    });
  }

  for (const license of [
    "GPL-2.0-or-later",
    "LGPL-2.1-only",
    "GPL-3+-WITH-BISON-EXCEPTION",
    "Artistic-2.0",
    "MPL-1.1",
  ]) {
    it(`lets only packages that it names have ${license}`, () => {
      assert.deepEqual(judge(license, "git"), []);
      assert.deepEqual(judge(license), [
        `the Debian package some-package has the license ${license}, which isn't allowed for it (scripts/licenses/debian/allowed.ts)`,
      ]);
    });
  }

  for (const license of [
    "AGPL-3.0-or-later",
    "SSPL-1",
    "GFDL-1.3+-with-invariants",
    "non-free",
    "permissive",
  ]) {
    it(`lets no package like git have ${license}`, () => {
      assert.equal(judge(license, "git").length, 1);
    });
  }

  it("knows names that mean something only in certain packages", () => {
    assert.deepEqual(judge("BSLA", "util-linux"), []);
    assert.equal(judge("BSLA", "git").length, 1);
  });

  it("knows files that aren't machine-readable, which people have read", () => {
    const ofWget = "sha256:c58cb5a2d94f35f0e9b0f1a038d48b73477aa12782ff17328c21d8a86f5f99d5";

    assert.deepEqual(judge(ofWget, "wget"), []);
    assert.match(judge(ofWget)[0] ?? "", /some-package has the license GPL-3\+, which isn't allowed/);
    assert.match(
      judge("sha256:0123", "git")[0] ?? "",
      /git isn't machine-readable: read it, and add .* SHA-256 0123$/,
    );
  });

  it("doesn't contain a package without a copyright file", () => {
    assert.deepEqual(judgeDebianPackages([{ name: "git", licenses: [] }]), [
      "the Debian package git has no copyright file in the image",
    ]);
  });
});
