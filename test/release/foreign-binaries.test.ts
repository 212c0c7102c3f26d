import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { lacks } from "@weir/testing";
import { bundlesOf } from "../../dev/release/binaries/bundles.ts";
import { fileNameOf, type Platform, platforms, releaseName } from "../../dev/release/binaries/platforms.ts";
import { releaseProgram } from "../../dev/release/binaries/release-program.ts";
import { readMachO } from "./support/mach-o.ts";
import { rawData, readPortableExecutable } from "./support/portable-executable.ts";
import { root, TestRelease, version } from "./support.ts";

const darwin = platforms.filter(({ system }) => system === "darwin");
const windows = platforms.filter(({ system }) => system === "windows");

/** As Node.js looks for it: with a 1, there's a program inside. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:";

describe("the programs for systems that this machine isn't", { skip: lacks("Go") }, () => {
  const release = new TestRelease();
  const archives = new Map<Platform, string>();
  before(async () => {
    for (const platform of [...darwin, ...windows]) {
      const [archive = ""] = await releaseProgram({ program: "fluxctl", platform }, release.context);
      archives.set(platform, archive);
    }
  });
  after(() => release[Symbol.dispose]());

  function executable(platform: Platform): Buffer {
    const name = releaseName("fluxctl", version, platform);
    return readFileSync(join(release.context.work, "binaries", name, fileNameOf("fluxctl", platform)));
  }

  function blobOf(platform: Platform): Buffer {
    const file = executable(platform);
    return platform.system === "windows"
      ? (readPortableExecutable(file).resources(rawData).get("NODE_SEA_BLOB") ?? Buffer.alloc(0))
      : (readMachO(file)
          .segments.find(({ name }) => name === "NODE_SEA")
          ?.sections.get("__NODE_SEA_BLOB") ?? Buffer.alloc(0));
  }

  for (const platform of darwin) {
    it(`are signed so that macOS on ${platform.architecture} runs them, to the last page`, () => {
      const file = executable(platform);

      const { cpu, isExecutable, segments, signature } = readMachO(file);

      const last = segments.at(-1);
      assert.deepEqual({ cpu, isExecutable }, { cpu: cpus[platform.architecture], isExecutable: true });
      assert.deepEqual(signature, {
        ...{ identity: "fluxctl", isAdHoc: true, isValid: true },
        // All but the signature is signed, and nothing follows it.
        ...{ limit: file.length - signature.size, size: signature.size },
      });
      assert.equal(last?.name, "__LINKEDIT");
      assert.equal(last.offset + last.size, file.length);
    });

    it(`have segments that follow each other, on ${platform.architecture}`, () => {
      const { segments } = readMachO(executable(platform));

      const mapped = segments.filter(({ size }) => size > 0);
      assert.deepEqual(
        mapped.map(({ name }) => name),
        ["__TEXT", "__DATA_CONST", "__DATA", "NODE_SEA", "__LINKEDIT"],
      );
      for (const [index, { name, offset, size }] of mapped.entries()) {
        const next = mapped[index + 1];
        assert.ok(next === undefined || offset + size <= next.offset, name);
      }
    });
  }

  for (const platform of windows) {
    it("are for Windows on x64, without the signature of Node.js", () => {
      const { machine, isExecutable, signature } = readPortableExecutable(executable(platform));

      assert.deepEqual(
        { machine, isExecutable, signature },
        {
          ...{ machine: 0x8664, isExecutable: true },
          signature: [0, 0],
        },
      );
    });
  }

  it("all have the same program inside, with what it loads, and start it", () => {
    const blobs = [...darwin, ...windows].map(blobOf);
    const { folder, files } = bundlesOf("fluxctl", join(root, "dist", "lib"));

    const [first] = blobs;
    assert.ok(first !== undefined && files.length > 10);
    assert.ok(blobs.every((blob) => blob.equals(first)));
    assert.equal(first.readUInt32LE(0), 0x143da20);
    for (const name of files) {
      assert.ok(first.includes(name), name);
      assert.ok(first.includes(readFileSync(join(folder, name))), name);
    }
    for (const platform of [...darwin, ...windows]) {
      const file = executable(platform);
      assert.ok(file.includes(`${fuse}1`), platform.system);
      assert.ok(!file.includes(`${fuse}0`), platform.system);
    }
  });

  it("come with licenses, manual pages, and completions", async () => {
    for (const [platform, archive] of archives) {
      const name = releaseName("fluxctl", version, platform);
      const [program, list] =
        platform.system === "windows" ? ["zip", ["-sf", archive]] : ["tar", ["-tzf", archive]];

      const { stdout } = await promisify(execFile)(program, list);

      const names = stdout.split("\n").map((line) => line.trim());
      for (const wanted of [fileNameOf("fluxctl", platform), ...delivered]) {
        assert.ok(names.includes(`${name}/${wanted}`), `${wanted} in ${archive}`);
      }
    }
  });
});

/** As in Apple's machine.h. */
const cpus = { amd64: 0x1000007, arm64: 0x100000c } as const;

const delivered = [
  ...["LICENSE", "LICENSE.node.txt", "NOTICE", "THIRD-PARTY-NOTICES.txt"],
  ...["completions/_fluxctl", "completions/fluxctl.bash", "completions/fluxctl.fish", "man/man1/fluxctl.1"],
];
