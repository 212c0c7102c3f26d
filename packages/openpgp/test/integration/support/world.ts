import assert from "node:assert/strict";
import { join } from "node:path";
import { TempFolder } from "@weir/testing";
import { Keyring, type Verdict } from "../../../src/index.ts";
import { Tag } from "../../../src/packets.ts";
import { editPackets, editSignature, withoutUnhashed } from "./edit-packets.ts";
import { fakedTime, GnuPg } from "./gnupg.ts";
import { SignedObjects } from "./signed-objects.ts";

/** A commit, its signature, and what should come of it. */
export interface Case {
  readonly title: string;
  readonly payload: string;
  readonly signature: string;
  /** What git must say, so that the case is what its title says. */
  readonly expected: string;
  /** What the reason must say. */
  readonly reason: RegExp;
}

/** A signer with many keys, a verifier who knows most of them, and signatures. */
export class World implements AsyncDisposable {
  readonly signer = new GnuPg();
  readonly verifier = new GnuPg();
  readonly cases: Case[] = [];
  readonly #folder = new TempFolder();
  readonly #keyring = new Keyring();
  #objects: SignedObjects | undefined;

  get objects(): SignedObjects {
    assert.ok(this.#objects);
    return this.#objects;
  }

  verify({ payload, signature }: Pick<Case, "payload" | "signature">): Promise<Verdict> {
    return this.#keyring.verify({ data: Buffer.from(payload), signature });
  }

  async build(): Promise<void> {
    this.#objects = await SignedObjects.create(join(this.#folder.path, "objects"));
    await this.#signWithAllAlgorithms();
    await this.#signWithOptions();
    await this.#signWithSubkeys();
    await this.#signWithExpiredKeys();
    await this.#signWithRevokedKeys();
    await this.#signWithOddKeys();
  }

  async signTags(commit: string): Promise<readonly Pick<Case, "title" | "payload" | "signature">[]> {
    const keys = ["ed25519", "rsa2048", "untrusted", "expired", "revoked-2", "unknown"];
    return Promise.all(
      keys.map(async (title) => {
        const payload = SignedObjects.tag(title, commit);
        const at = title === "expired" || title === "revoked-2" ? fakedTime("20230601T000000") : [];
        const signature = await this.#sign(payload, ["-u", `${title}@example.test`, ...at]);
        return { title, payload, signature };
      }),
    );
  }

  async #signWithAllAlgorithms(): Promise<void> {
    const curves = ["nistp256", "nistp384", "nistp521", "secp256k1"];
    const brainpool = ["brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1"];
    for (const algorithm of ["ed25519", "rsa2048", "rsa1024", "dsa1024", ...curves, ...brainpool]) {
      const key = await this.#makeKey(algorithm, { algorithm });
      await this.#share(key);
      await this.#add(`by ${algorithm}`, ["-u", key], "G", /^good signature$/);
      await this.#addBad(`by ${algorithm}, of something else`, key);
    }
  }

  async #signWithOptions(): Promise<void> {
    for (const hash of ["SHA1", "SHA224", "SHA384", "SHA512", "RIPEMD160"]) {
      await this.#add(`with ${hash}`, ["-u", "rsa2048@", "--digest-algo", hash], "G", /^good/);
      await this.#add(`by Ed25519 with ${hash}`, ["-u", "ed25519@", "--digest-algo", hash], "G", /^good/);
    }
    const md5 = ["--allow-weak-digest-algos", "--digest-algo", "MD5"];
    await this.#add("with MD5", ["-u", "rsa2048@", ...md5], "E", /weak algorithm: MD5/);
    await this.#add("of text", ["-u", "ed25519@", "--textmode"], "G", /^good/);
    await this.#add("of text by RSA", ["-u", "rsa2048@", "--textmode"], "G", /^good/);
    await this.#add(
      "with a notation",
      ["-u", "ed25519@", "--sig-notation", "a@example.test=b"],
      "G",
      /^good/,
    );
    await this.#add(
      "with a critical notation",
      ["-u", "ed25519@", "--sig-notation", "!a@example.test=b"],
      "B",
      /critical/,
    );
    await this.#add(
      "with a critical policy",
      ["-u", "ed25519@", "--sig-policy-url", "!http://example.test"],
      "G",
      /^good/,
    );
    await this.#add("twice", ["-u", "ed25519@", "-u", "rsa2048@"], "E", /more than one/);
    const brief = ["--default-sig-expire", "1d", ...fakedTime("20230601T000000")];
    await this.#add("that has expired", ["-u", "ed25519@", ...brief], "X", /signature expired on 2023-06-02/);
    await this.#add("that will expire", ["-u", "ed25519@", "--default-sig-expire", "10y"], "G", /^good/);
    const early = ["--ignore-time-conflict", "--ignore-valid-from", ...fakedTime("20220601T000000")];
    await this.#add("from before its key", ["-u", "ed25519@", ...early], "E", /before its key was created/);
    await this.#makeKey("unknown", { algorithm: "ed25519" });
    await this.#add("by an unknown key", ["-u", "unknown@"], "E", /isn't in the keyring/);
    await this.#share(await this.#makeKey("untrusted", { algorithm: "ed25519" }), { trusted: false });
    await this.#add("by an untrusted key", ["-u", "untrusted@"], "U", /isn't trusted/);
    await this.#addEdited(
      "without the attributes that aren't signed",
      (each) => editSignature(each, withoutUnhashed),
      "G",
      /^good/,
    );
    await this.#addEdited(
      "in armor for a message",
      (each) => each.replaceAll("PGP SIGNATURE", "PGP MESSAGE"),
      "G",
      /^good/,
    );
    await this.#addEdited(
      "that is damaged",
      (each) => each.replace(/\n\n.{20}/, "\n\nAAAAAAAAAAAAAAAAAAAA"),
      "E",
      /can't be read/,
    );
    await this.#addEdited(
      "that is cut off",
      (each) => `${each.slice(0, 150)}\n-----END PGP SIGNATURE-----\n`,
      "E",
      /can't be read/,
    );
    const userId = { tag: Tag.userId, body: Buffer.from("A") };
    await this.#addEdited(
      "before a user ID",
      (each) => editSignature(each, (packet) => [packet, userId]),
      "G",
      /^good/,
    );
    await this.#addEdited(
      "after a user ID",
      (each) => editSignature(each, (packet) => [userId, packet]),
      "E",
      /can't be read/,
    );
    const literal = { tag: Tag.literal, body: Buffer.from("b\0\0\0\0\0hello") };
    await this.#addEdited(
      "before data",
      (each) => editSignature(each, (packet) => [packet, literal]),
      "E",
      /contains data/,
    );
    const version6 = { tag: Tag.signature, body: Buffer.alloc(40, 6) };
    await this.#addEdited(
      "beside one of version 6",
      (each) => editSignature(each, (packet) => [packet, version6]),
      "G",
      /^good/,
    );
  }

  async #signWithSubkeys(): Promise<void> {
    const key = await this.#makeKey("subkeys", { algorithm: "ed25519", usage: "cert" });
    await this.signer.addSubkey(key, { algorithm: "ed25519" });
    await this.signer.addSubkey(key, { algorithm: "rsa2048", at: "20230201T000000" });
    await this.signer.addSubkey(key, { algorithm: "cv25519", usage: "encr" });
    const [, first = "", second = ""] = await this.signer.fingerprints(key);
    await this.#share(key);
    await this.#add("by the newest subkey", ["-u", key], "G", /^good/);
    await this.#add("by a named subkey", ["-u", `${first}!`], "G", /^good/);
    await this.#add("by another named subkey", ["-u", `${second}!`], "G", /^good/);
    await this.#addBad("by a subkey, of something else", `${first}!`);

    const loner = await this.#makeKey("loner", { algorithm: "ed25519" });
    await this.signer.addSubkey(loner, { algorithm: "ed25519" });
    const exported = await this.signer.run(["--export", loner]);
    await this.#shareBytes(editPackets(exported, withoutCrossCertification), loner);
    await this.#add("by a subkey without cross-certification", ["-u", loner], "E", /no cross-certification/);
    await this.#add("by the primary key beside it", ["-u", `${loner}!`], "G", /^good/);

    const late = await this.#makeKey("late", { algorithm: "ed25519" });
    await this.#share(late);
    await this.signer.addSubkey(late, { algorithm: "ed25519" });
    await this.#add("by a subkey that the verifier doesn't have", ["-u", late], "E", /isn't in the keyring/);
  }

  async #signWithExpiredKeys(): Promise<void> {
    const early = fakedTime("20230601T000000");
    const key = await this.#makeKey("expired", { algorithm: "ed25519", expires: "1y" });
    await this.signer.addSubkey(key, { algorithm: "ed25519", expires: "2y" });
    await this.#share(key);
    await this.#add(
      "by a subkey of an expired key",
      ["-u", key, ...early],
      "Y",
      /since it signed, on 2024-01-01/,
    );
    await this.#add("by an expired key", ["-u", `${key}!`, ...early], "Y", /since it signed, on 2024-01-01/);
    await this.#addBad("by an expired key, of something else", `${key}!`, early);
    const brief = ["--default-sig-expire", "1d"];
    await this.#add(
      "that has expired, by an expired key",
      ["-u", `${key}!`, ...brief, ...early],
      "X",
      /signature expired/,
    );
    await this.signer.run([...early, "--quick-set-expire", key, "10y"]);
    await this.#add("by a key that had expired", ["-u", `${key}!`], "Y", /had expired before it signed/);

    const partly = await this.#makeKey("partly-expired", { algorithm: "ed25519" });
    await this.signer.addSubkey(partly, { algorithm: "ed25519", expires: "1y" });
    await this.#share(partly);
    await this.#add("by an expired subkey", ["-u", partly, ...early], "Y", /since it signed/);
    await this.#add("by a key with an expired subkey", ["-u", `${partly}!`], "G", /^good/);

    const renewed = await this.#makeKey("renewed", { algorithm: "ed25519", expires: "1y" });
    await this.#share(renewed);
    await this.signer.run([...early, "--quick-set-expire", renewed, "20y"]);
    await this.#share(renewed);
    await this.#add("by a key that was renewed", ["-u", renewed], "G", /^good/);

    const untrusted = await this.#makeKey("untrusted-expired", { algorithm: "ed25519", expires: "1y" });
    await this.#share(untrusted, { trusted: false });
    await this.#add("by an expired key that isn't trusted", ["-u", untrusted, ...early], "Y", /expired/);
  }

  async #signWithRevokedKeys(): Promise<void> {
    const early = fakedTime("20230601T000000");
    const reasons = [/revoked on .*[0-9]$/, /it was compromised/, /it was replaced/, /it is no longer used/];
    for (const [code, reason] of reasons.entries()) {
      const key = await this.#makeKey(`revoked-${code}`, { algorithm: "ed25519" });
      await this.#share(key);
      const certificate = await this.#revocation(key, code);
      await this.#shareBytes(certificate, key);
      await this.#add(`by a key revoked for reason ${code}`, ["-u", key, ...early], "R", reason);
    }
    await this.#addBad("by a revoked key, of something else", "revoked-0@example.test", early);

    const key = await this.#makeKey("revoked-subkey", { algorithm: "ed25519" });
    await this.signer.addSubkey(key, { algorithm: "ed25519" });
    const [, subkey = ""] = await this.signer.fingerprints(key);
    await this.#share(key);
    await this.#add("by a subkey that is revoked later", ["-u", `${subkey}!`], "R", /was revoked/);
    await this.signer.run(
      ["--command-fd", "0", "--no-batch", "--edit-key", key],
      "key 1\nrevkey\ny\n1\n\ny\nsave\n",
    );
    await this.#share(key);
    await this.#add("by a key with a revoked subkey", ["-u", `${key}!`], "G", /^good/);

    const named = await this.#makeKey("old-name", { algorithm: "ed25519" });
    await this.signer.run([...early, "--quick-add-uid", named, "new-name <new-name@example.test>"]);
    await this.signer.run(["--quick-revoke-uid", named, "old-name <old-name@example.test>"]);
    await this.#share(named);
    await this.#add("by a key with a revoked user ID", ["-u", named], "G", /^good/);
  }

  async #signWithOddKeys(): Promise<void> {
    const expiredRevoked = await this.#makeKey("expired-revoked", { algorithm: "ed25519", expires: "1y" });
    const certificate = await this.#revocation(expiredRevoked, 2);
    await this.#share(expiredRevoked);
    await this.#shareBytes(certificate, expiredRevoked);
    const early = fakedTime("20230601T000000");
    await this.#add("by a key that is expired and revoked", ["-u", expiredRevoked, ...early], "Y", /expired/);

    const revoker = await this.#makeKey("revoker", { algorithm: "ed25519" });
    const guarded = await this.#makeKey("guarded", { algorithm: "ed25519" });
    await this.signer.run(
      ["--command-fd", "0", "--no-batch", "--edit-key", guarded],
      `addrevoker\n${revoker}\ny\nsave\n`,
    );
    await this.#share(guarded);
    const { stdout } = await this.signer.try(
      ["--command-fd", "0", "--no-batch", "--desig-revoke", guarded],
      "y\n1\n\ny\n",
    );
    await this.#add("by a key that its revoker has revoked", ["-u", guarded], "R", /was revoked/);
    await this.#share(revoker);
    await this.#shareBytes(stdout, guarded);
  }

  async #revocation(key: string, code: number): Promise<Buffer> {
    const args = ["--command-fd", "0", "--no-batch", "--gen-revoke", key];
    return this.signer.run(args, `y\n${code}\n\ny\n`);
  }

  #makeKey(name: string, key: { algorithm: string; usage?: string; expires?: string }): Promise<string> {
    return this.signer.makeKey({ ...key, userId: `${name} <${name}@example.test>` });
  }

  async #share(key: string, options: { readonly trusted: boolean } = { trusted: true }): Promise<void> {
    await this.#shareBytes(await this.signer.run(["--export", key]), key, options);
  }

  /** Imports into both keyrings. */
  async #shareBytes(bytes: Buffer, key: string, { trusted } = { trusted: true }): Promise<void> {
    await this.verifier.run(["--import"], bytes);
    await this.#keyring.import(bytes, { trusted });
    if (trusted) {
      await this.verifier.run(["--import-ownertrust"], `${key}:6:\n`);
    }
  }

  async #sign(payload: string, args: readonly string[]): Promise<string> {
    return (await this.signer.run(["--detach-sign", "--armor", ...args], payload)).toString();
  }

  async #add(
    title: string,
    args: readonly string[],
    ...[expected, reason]: readonly [string, RegExp]
  ): Promise<void> {
    const payload = SignedObjects.commit(title);
    this.cases.push({ title, payload, signature: await this.#sign(payload, args), expected, reason });
  }

  async #addBad(title: string, key: string, args: readonly string[] = []): Promise<void> {
    const signature = await this.#sign("something else", ["-u", key, ...args]);
    this.cases.push({
      title,
      payload: SignedObjects.commit(title),
      signature,
      expected: "B",
      reason: /^bad signature/,
    });
  }

  async #addEdited(
    title: string,
    edit: (signature: string) => string,
    ...[expected, reason]: readonly [string, RegExp]
  ): Promise<void> {
    const payload = SignedObjects.commit(title);
    const signature = edit(await this.#sign(payload, ["-u", "ed25519@"]));
    this.cases.push({ title, payload, signature, expected, reason });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.signer[Symbol.asyncDispose]();
    await this.verifier[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** gpg keeps the cross-certification of a subkey where it isn't signed. */
function withoutCrossCertification(
  packet: Parameters<typeof withoutUnhashed>[0],
): ReturnType<typeof withoutUnhashed> {
  const isBinding = packet.tag === Tag.signature && packet.body[1] === 0x18;
  if (!isBinding) {
    return [packet];
  }
  const issuer = readIssuer(packet.body);
  return withoutUnhashed(packet).map(({ tag, body }) => {
    const start = 6 + ((body[4] ?? 0) << 8) + (body[5] ?? 0);
    const area = Buffer.concat([Uint8Array.of(0, 10, 9, 16), issuer]);
    return { tag, body: Buffer.concat([body.subarray(0, start), area, body.subarray(start + 2)]) };
  });
}

function readIssuer(body: Uint8Array): Uint8Array {
  return Buffer.from(body.subarray(9, 29)).subarray(12);
}
