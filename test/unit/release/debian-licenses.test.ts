import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isFulfilled, licensesInCopyright } from "../../../scripts/licenses/debian/copyright.ts";
import { judgeDebianPackages } from "../../../scripts/licenses/debian/judge.ts";

const format = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/";

const copyright = `${format}
Upstream-Name: example

Files: *
Copyright: 2001 Somebody
License: GPL-2+ or Artistic

Files: lib/*
Copyright: 2002 Somebody Else
License: Expat
 Permission is hereby granted

License: Text-of-GPL-2+
 This program is free software
`;

/** A package of which all files have one license. */
function judge(license: string, name = "some-package"): readonly string[] {
  const text = `${format}\n\nFiles: *\nCopyright: nobody\nLicense: ${license}\n`;
  return judgeDebianPackages([{ name, copyright: text }]);
}

describe("the copyright file of a Debian package", () => {
  it("names the licenses of its files, and not those of which it only has the text", () => {
    assert.deepEqual(licensesInCopyright(copyright), ["GPL-2+ or Artistic", "Expat"]);
  });

  it("may sum them up at the beginning", () => {
    assert.deepEqual(licensesInCopyright(copyright.replace("Upstream-Name: example", "License: MIT")), [
      "MIT",
      "GPL-2+ or Artistic",
      "Expat",
    ]);
  });

  it("may have files without a license", () => {
    assert.deepEqual(licensesInCopyright(`${format}\n\nFiles: *\nCopyright: nobody\n`), [""]);
  });

  it("may not be for machines", () => {
    assert.equal(licensesInCopyright("This is free software.\n\nLicense: MIT\n"), undefined);
  });
});

describe("a license expression of Debian", () => {
  for (const [expression, allowed, expected] of [
    ["a", ["a"], true],
    ["a or b", ["b"], true],
    ["a and b", ["b"], false],
    ["a and b or c", ["c"], true],
    ["a or b, and c", ["a"], false],
    ["a or b, and c", ["b", "c"], true],
    ["a and/or b", ["a"], true],
    ["a with libtool exception", ["a with libtool exception"], true],
  ] as const) {
    it(`${expression} is ${expected ? "" : "not "}fulfilled by ${allowed.join(" and ")}`, () => {
      assert.equal(
        isFulfilled(expression, (license) => allowed.some((each) => each === license)),
        expected,
      );
    });
  }
});

describe("the allow-list of Debian packages", () => {
  for (const license of ["Expat", "BSD-3-Clause", "GPL-1+ or MIT", "Apache-2.0 and ISC"]) {
    it(`lets every package have ${license}`, () => {
      assert.deepEqual(judge(license), []);
    });
  }

  for (const license of ["GPL-2+", "LGPL-2.1", "GPL-3+ with Bison exception", "Artistic-2", "MPL-1.1"]) {
    it(`lets only packages that it names have ${license}`, () => {
      assert.deepEqual(judge(license, "git"), []);
      assert.match(
        judge(license)[0] ?? "",
        /^the Debian package some-package has the license .*, which isn't allowed for it \(scripts\/licenses\/debian\/allowed\.ts\)$/,
      );
    });
  }

  for (const license of [
    "AGPL-3+",
    "CC-BY-NC-4.0",
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

  it("doesn't contain a package without a copyright file", () => {
    assert.deepEqual(judgeDebianPackages([{ name: "git", copyright: undefined }]), [
      "the Debian package git has no copyright file in the image",
    ]);
  });

  it("doesn't contain a package with a text that nobody has read, and says how to add it", () => {
    const [complaint = ""] = judgeDebianPackages([{ name: "git", copyright: "All rights reserved." }]);

    assert.match(complaint, /git isn't machine-readable: read it, and add .* SHA-256 [0-9a-f]{64}$/);
  });
});
