import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addressesOf } from "../../../../dev/release/images/debian-packages.ts";
import { parsePlan, parseRecords } from "../../../../dev/release/images/resolve-packages.ts";

describe("what apt says", () => {
  it("of a plan is which packages it would install", () => {
    const plan = parsePlan(`NOTE: This is only a simulation!
Inst libc6:arm64 (2.36-9+deb12u14 Debian:12.11/oldstable [arm64]) [libgcc-s1:arm64 ]
Inst tini (0.19.0-1+b3 Debian:12.11/oldstable [arm64])
Conf tini (0.19.0-1+b3 Debian:12.11/oldstable [arm64])
`);

    assert.deepEqual(plan, ["libc6=2.36-9+deb12u14", "tini=0.19.0-1+b3"]);
  });

  it("of packages is where they are, and their checksums", () => {
    const records = parseRecords(`Package: tini
Version: 0.19.0-1+b3
Architecture: arm64
Description: tiny init
 Package: not a field
Filename: pool/main/t/tini/tini_0.19.0-1+b3_arm64.deb
SHA256: abc

`);

    assert.deepEqual(records, [
      {
        package: "tini",
        version: "0.19.0-1+b3",
        architecture: "arm64",
        path: "pool/main/t/tini/tini_0.19.0-1+b3_arm64.deb",
        sha256: "abc",
      },
    ]);
  });
});

describe("a pinned package", () => {
  it("can be had from Debian's archive or from its past, security updates from their own archive", () => {
    const addresses = ["pool/main/g/git.deb", "pool/updates/main/g/git.deb"].map((path) => {
      return addressesOf({ package: "git", version: "1", architecture: "amd64", path, sha256: "" });
    });

    assert.match(
      addresses.flat().join(" "),
      /^\S+\.org\/debian\/pool\/main\/g\/git\.deb \S+snapshot\S+\/debian\/\d+T\d+Z\/pool\S+ \S+\.org\/debian-security\/pool\/updates\S+ \S+snapshot\S+\/debian-security\/\S+$/,
    );
  });
});
