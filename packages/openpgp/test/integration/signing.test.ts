import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lacks, TempFolder } from "@weir/testing";
import { Keyring, SigningKeyError } from "../../src/index.ts";
import { GnuPg } from "./support/gnupg.ts";

const data = Buffer.from("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\nsigned\n");

describe("signing", { skip: lacks("gpg") }, () => {
  const gpg = new GnuPg();
  const folder = new TempFolder();
  const keyring = new Keyring();
  const algorithms = [
    ...["ed25519", "rsa2048", "dsa1024", "nistp256", "nistp384", "nistp521"],
    ...["secp256k1", "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1"],
  ];
  let team = "";
  let certifier = "";

  before(async () => {
    for (const algorithm of algorithms) {
      await gpg.makeKey({ userId: `${algorithm} <${algorithm}@keys.example.test>`, algorithm });
    }
    team = await gpg.makeKey({ userId: "Team (robots) <Team@example.test>", algorithm: "ed25519" });
    await gpg.addSubkey(team, { algorithm: "ed25519", at: "20230301T000000" });
    await gpg.addSubkey(team, { algorithm: "ed25519", at: "20230201T000000" });
    certifier = await gpg.makeKey({
      userId: "certifier <c@example.test>",
      algorithm: "ed25519",
      usage: "cert",
    });
    await gpg.makeKey({ userId: "expired <expired@example.test>", algorithm: "ed25519", expires: "1d" });
    await keyring.import(await gpg.run(["--export-secret-keys", "--armor"]));
  });
  after(async () => {
    await gpg[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  /** The key ID that gpg names when it accepts a signature by this user. */
  async function acceptedKey(signature: string): Promise<string> {
    const path = join(folder.path, "signature");
    writeFileSync(path, signature);
    const { code, stdout, stderr } = await gpg.try(["--status-fd=1", "--verify", path, "-"], data);
    assert.equal(code, 0, stderr);
    return /GOODSIG ([0-9A-F]{16})/.exec(stdout.toString())?.[1] ?? "";
  }

  async function signAs(userOrKeyId: string): Promise<string> {
    return acceptedKey(await (await keyring.signer(userOrKeyId)).sign(data));
  }

  for (const algorithm of algorithms) {
    it(`by ${algorithm} is accepted by gpg`, async () => {
      const [fingerprint = ""] = await gpg.fingerprints(`${algorithm}@keys.example.test`);
      assert.equal(await signAs(`${algorithm}@keys.example.test`), fingerprint.slice(-16));
    });
  }

  it("says what gpg's says", async () => {
    const fields = /algo \d+|keyid \w+|version \d|sigclass \w+|subpkt \d+ len \d+ \([^)]*\)/g;
    const describeSignature = async (signature: string | Buffer): Promise<readonly string[]> => {
      const listed = await gpg.run(["--list-packets"], signature);
      return [...listed.toString().matchAll(fields)].map(([field]) => field).toSorted();
    };
    for (const user of ["rsa2048@keys.example.test", "nistp384@keys.example.test"]) {
      const ours = await (await keyring.signer(user)).sign(data);
      const theirs = await gpg.run(["--detach-sign", "--armor", "-u", user], data);
      assert.deepEqual(await describeSignature(ours), await describeSignature(theirs));
    }
  });

  it("finds the key that gpg finds", async () => {
    const [, newest = "", other = ""] = await gpg.fingerprints(team);
    const names = [
      team,
      team.slice(-16),
      team.slice(-8),
      `0x${team}`,
      `0x${team.slice(-16)}`,
      team.toLowerCase(),
      `${team}!`,
      `${other}!`,
      `0x${other.slice(-16)}!`,
      other,
      "=Team (robots) <Team@example.test>",
      "<team@example.test>",
      "<team@example.test",
      "team@example.test",
      "@example.test",
      "ROBOTS",
      "*robot",
      team.replace(/(.{4})(?=.)/g, "$1 "),
    ];
    const theirs = [];
    for (const name of names) {
      theirs.push(
        await acceptedKey((await gpg.run(["--detach-sign", "--armor", "-u", name], data)).toString()),
      );
    }

    const ours = [];
    for (const name of names) {
      ours.push(await signAs(name));
    }

    assert.deepEqual(ours, theirs);
    assert.ok(ours.includes(newest.slice(-16)));
  });

  it("says what gpg says if there is no such key", async () => {
    const names = ["nobody@example.test", "0x1234567890ABCDEF", "=Team", "expired@example.test", certifier];
    for (const name of names) {
      const { stderr } = await gpg.try(["--detach-sign", "-u", name], data);
      const said = stderr.split("\n").filter((line) => /skipped|failed/.test(line));

      await assert.rejects(keyring.signer(name), (error) => {
        assert.ok(error instanceof SigningKeyError);
        assert.equal(error.message, said.join("\n"));
        return true;
      });
    }
  });

  it("needs the secret key", async () => {
    const publicOnly = new Keyring();
    await publicOnly.import(await gpg.run(["--export", team]));

    await assert.rejects(publicOnly.signer(team), /skipped ".*": No secret key/);
  });

  it("works with subkeys whose primary secret key is elsewhere", async () => {
    const [, newest = ""] = await gpg.fingerprints(team);
    const partial = new Keyring();
    await partial.import(await gpg.run(["--export-secret-subkeys", team]));

    assert.equal(await acceptedKey(await (await partial.signer(team)).sign(data)), newest.slice(-16));
    await assert.rejects(partial.signer(`${team}!`), /No secret key/);
  });
});
