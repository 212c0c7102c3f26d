import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { invalidPages } from "../../../dev/release/binaries/code-signature.ts";
import { debianVersion, printControl } from "../../../dev/release/binaries/debian-control.ts";
import { signatureEntryOf } from "../../../dev/release/binaries/drop-windows-signature.ts";
import { printFormula } from "../../../dev/release/binaries/formula.ts";
import { neededFiles } from "../../../dev/release/binaries/needed-files.ts";
import { platforms, releaseName } from "../../../dev/release/binaries/platforms.ts";
import { printChecksums } from "../../../dev/release/checksums.ts";

describe("neededFiles", () => {
  const data = ["api-text.json.br", "api-data.json.br"];

  it("follows what bundles load, and adds data for those that read it", () => {
    const files = new Map([
      ["fluxctl.cjs", 'require("./forward.cjs");await import("./screen.mjs");require("node:fs")'],
      ["forward.cjs", 'require("./fluxctl.cjs");require("./cluster.cjs")'],
      ["cluster.cjs", "read(`${name}.json.br`)"],
      ["screen.mjs", ""],
      ["fluxd.cjs", ""],
    ]);

    assert.deepEqual(neededFiles("fluxctl", files, data), {
      bundles: ["cluster.cjs", "fluxctl.cjs", "forward.cjs", "screen.mjs"],
      data: ["api-data.json.br", "api-text.json.br"],
    });
    assert.deepEqual(neededFiles("fluxd", files, data), { bundles: ["fluxd.cjs"], data: [] });
  });

  it("refuses a build that lacks a bundle", () => {
    const files = new Map([["fluxctl.cjs", 'require("./gone.cjs")']]);

    assert.throws(() => neededFiles("fluxctl", files, data), /no gone\.cjs for fluxctl/);
  });
});

describe("printChecksums", () => {
  it("prints what sha256sum checks, by path", () => {
    const sums = new Map([
      ["sbom/a", "ff"],
      ["bin/b", "00"],
    ]);

    assert.equal(printChecksums(sums), "00  bin/b\nff  sbom/a\n");
  });

  it("refuses names that sha256sum escapes", () => {
    assert.throws(() => printChecksums(new Map([["a\nb", "00"]])), /can't be in checksums\.txt/);
  });
});

describe("a Debian package", () => {
  it("of a pre-release is older than that of its release", () => {
    assert.equal(debianVersion("1.0.0-rc.1"), "1.0.0~rc.1");
    assert.equal(debianVersion("1.0.0"), "1.0.0");
  });

  it("of fluxd depends on what fluxd runs", () => {
    const facts = { version: "1.0.0", architecture: "arm64", installedBytes: 1025 };

    const fluxd = printControl({ program: "fluxd", ...facts });
    const fluxctl = printControl({ program: "fluxctl", ...facts });

    assert.match(fluxd, /^Package: weir-fluxd\nVersion: 1\.0\.0\nArchitecture: arm64\n/);
    assert.match(fluxd, /^Installed-Size: 2$/m);
    assert.match(fluxd, /^Depends: libc6 .*, git, openssh-client/m);
    assert.doesNotMatch(fluxctl, /git,/);
  });
});

describe("printFormula", () => {
  it("has the archive and checksum of each platform", () => {
    const systems = ["darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"];
    const checksums = new Map(systems.map((system, index) => [system, String(index).repeat(64)]));

    const formula = printFormula({ version: "0.2.0", checksums });

    const archives = [...formula.matchAll(/url "#\{base\}\/(.*)"\n *sha256 "(\d)/g)];
    assert.deepEqual(
      archives.map(([, name, digit]) => `${name ?? ""} ${digit ?? ""}`),
      systems.map((system, index) => `fluxctl_0.2.0_${system}.tar.gz ${index}`),
    );
  });

  it("can't be made without one of them", () => {
    assert.throws(
      () => printFormula({ version: "0.2.0", checksums: new Map() }),
      /no archive for darwin_amd64/,
    );
  });
});

describe("signatureEntryOf", () => {
  it("finds where the headers of an executable for Windows say where its signature is", () => {
    const headers = Buffer.alloc(4096);
    headers.writeUInt32LE(0x80, 0x3c);
    headers.write("PE\0\0", 0x80, "latin1");
    headers.writeUInt16LE(0x20b, 0x98);

    assert.equal(signatureEntryOf(headers), 0x98 + 144);
    assert.throws(() => signatureEntryOf(Buffer.alloc(4096)), /not a 64-bit executable/);
  });
});

describe("platforms", () => {
  it("have names of their own", () => {
    const names = platforms.flatMap((platform) =>
      platform.programs.map((program) => releaseName(program, "0.2.0", platform)),
    );

    assert.equal(new Set(names).size, names.length);
    assert.equal(names[0], "fluxctl_0.2.0_linux_amd64");
  });
});

describe("invalidPages", () => {
  it("finds no page in an executable that is as it was signed, and the one that was changed since", () => {
    const executable = signedExecutable();

    assert.equal(invalidPages(executable), 0);

    executable.writeUInt8(1, 5000);
    assert.equal(invalidPages(executable), 1);
  });

  it("refuses an executable without a signature, or with one that doesn't cover all", () => {
    const executable = signedExecutable();
    const covers = Buffer.from(executable);
    covers.writeUInt32BE(4096, codeSize + 20 + 32);
    const unsigned = Buffer.from(executable);
    unsigned.writeUInt32LE(0x1b, 32);

    assert.throws(() => invalidPages(covers), /doesn't cover/);
    assert.throws(() => invalidPages(unsigned), /isn't signed/);
    assert.throws(() => invalidPages(Buffer.alloc(64)), /not a Mach-O/);
  });
});

const codeSize = 6000;

/** As small as one can be: two pages, the second of them not full, and a signature with their hashes. */
function signedExecutable(): Buffer {
  const pageSize = 4096;
  const hashesAt = 44;
  const file = Buffer.alloc(codeSize + 20 + hashesAt + 64);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(1, 16);
  file.writeUInt32LE(0x1d, 32);
  file.writeUInt32LE(16, 36);
  file.writeUInt32LE(codeSize, 40);
  file.writeUInt32LE(file.length - codeSize, 44);
  const signature = file.subarray(codeSize);
  signature.writeUInt32BE(0xfade0cc0, 0);
  signature.writeUInt32BE(1, 8);
  signature.writeUInt32BE(20, 16);
  const directory = signature.subarray(20);
  directory.writeUInt32BE(0xfade0c02, 0);
  directory.writeUInt32BE(hashesAt, 16);
  directory.writeUInt32BE(2, 28);
  directory.writeUInt32BE(codeSize, 32);
  directory.writeUInt8(32, 36);
  directory.writeUInt8(2, 37);
  directory.writeUInt8(12, 39);
  for (const page of [0, 1]) {
    const bytes = file.subarray(page * pageSize, Math.min((page + 1) * pageSize, codeSize));
    createHash("sha256")
      .update(bytes)
      .digest()
      .copy(directory, hashesAt + page * 32);
  }
  return file;
}
