import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { findProgram, TempFolder } from "@weir/testing";
import { licensesStep, provenanceStep, signStep } from "../../dev/release/supply/step.ts";
import { makeKey } from "./support/test-key.ts";
import { root, run, TestRelease } from "./support.ts";

const script = join(root, "scripts/verify-release.sh");
const commit = "c0ffee0123456789c0ffee0123456789c0ffee01";

/** A small release that is signed, in which a test breaks something. */
async function signedRelease() {
  const release = new TestRelease({ commit });
  const { out } = release.context;
  mkdirSync(join(out, "bin"));
  writeFileSync(join(out, "bin", "fluxctl.tar.gz"), "an archive");
  writeFileSync(join(out, "release notes.md"), "notes");
  await provenanceStep(release.context);
  const key = makeKey();
  ["checksums.txt", "provenance.intoto.json"].forEach((file) => key.sign(join(out, file)));
  const keys = new TempFolder();
  const publicKey = keys.write("cosign.pub", key.pem);
  return {
    out,
    key,
    publicKey,
    verify: (...args: readonly string[]) => verify("--key", publicKey, ...args, out),
    [Symbol.dispose]: () => {
      release[Symbol.dispose]();
      keys[Symbol.dispose]();
    },
  };
}

/** Runs the script where there is openssl and no cosign; resolves to what it prints, or says when it fails. */
async function verify(...args: readonly string[]): Promise<string> {
  using programs = new TempFolder();
  const needed = [
    "cat",
    "cut",
    "find",
    "grep",
    "mktemp",
    "openssl",
    "rm",
    "sed",
    "sha256sum",
    "sh",
    "tr",
    "wc",
  ];
  for (const name of needed) {
    symlinkSync(findProgram(name) ?? assert.fail(`there is no ${name}`), join(programs.path, name));
  }
  const env = { PATH: programs.path };
  return await run("/bin/sh", [script, ...args], { env }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { readonly stderr: string }).stderr,
  );
}

describe("scripts/verify-release.sh", () => {
  it("verifies a release that is signed, also a part of it", async () => {
    using release = await signedRelease();

    const whole = await release.verify("--commit", commit);
    rmSync(join(release.out, "release notes.md"));
    const part = await release.verify();

    assert.equal(
      whole,
      `ok: checksums.txt is signed with this key
ok: provenance.intoto.json is signed with this key
ok: 3 of 3 files are here, and have their checksums
ok: made of commit ${commit}
verified
`,
    );
    assert.match(part, /\nok: 2 of 3 files are here[^]*\nverified\n$/);
  });

  it("notices a file that differs", async () => {
    using release = await signedRelease();
    appendFileSync(join(release.out, "bin", "fluxctl.tar.gz"), "x");

    assert.match(await release.verify(), /^FAILED: bin\/fluxctl\.tar\.gz differs from what was released\n$/);
  });

  it("notices that checksums were made to fit", async () => {
    using release = await signedRelease();
    const file = join(release.out, "checksums.txt");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
    );

    assert.match(await release.verify(), /^FAILED: checksums\.txt isn't signed with this key: /);
  });

  it("notices that somebody else signed", async () => {
    using release = await signedRelease();
    const other = makeKey();
    other.sign(join(release.out, "checksums.txt"));

    assert.match(await release.verify(), /^FAILED: checksums\.txt isn't signed with this key: /);
  });

  for (const file of ["checksums.txt", "provenance.intoto.json"]) {
    it(`notices that ${file} isn't signed`, async () => {
      using release = await signedRelease();
      rmSync(join(release.out, `${file}.sig`));

      const said = await release.verify();

      assert.equal(said, `FAILED: ${file} isn't signed: ${file}.sig is missing\n`);
    });
  }

  it("notices files that nobody released", async () => {
    using release = await signedRelease();
    writeFileSync(join(release.out, "bin", "fluxd.tar.gz"), "from elsewhere");

    assert.match(
      await release.verify(),
      /FAILED: not part of the release, so not verified: bin\/fluxd\.tar\.gz\n$/,
    );
  });

  it("notices another commit", async () => {
    using release = await signedRelease();

    assert.match(
      await release.verify("--commit", "0000000"),
      new RegExp(`FAILED: made of commit ${commit}, not 0000000\n$`),
    );
  });

  it("says how it's called", async () => {
    assert.match(await verify(), /^Error: --key is missing\n\nUsage: verify-release\.sh --key FILE/);
    assert.match(await verify("--key"), /^Error: --key needs a value\n/);
    assert.match(await verify("--key", "/nowhere"), /^Error: there is no file \/nowhere\n/);
    assert.match(await verify("--help"), /^Usage: /);
  });
});

describe("a release without a key", () => {
  it("says that it isn't signed", async () => {
    using release = new TestRelease();

    assert.deepEqual(await signStep(release.context), []);

    assert.match(release.said.join("\n"), /^NOT SIGNED: no key was given/);
  });
});

describe("the licenses of a release", () => {
  it("are allowed, and come with it", async () => {
    using release = new TestRelease();

    const made = await licensesStep(release.context);

    assert.deepEqual(made, [join(release.context.out, "THIRD-PARTY-NOTICES.txt")]);
    assert.match(readFileSync(made[0] ?? "", "utf8"), /\nundici \d\S* \(MIT\)\n/);
  });
});
