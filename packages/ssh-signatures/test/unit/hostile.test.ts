import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { armor, dearmor } from "../../src/armor.ts";
import {
  type AllowedSigners,
  parseAllowedSigners,
  SigningKeyError,
  sshSigner,
  type Verdict,
  verifySshSignature,
} from "../../src/index.ts";
import { parseSshSignature } from "../../src/sshsig.ts";
import { mutate, mutations } from "../support/mutation.ts";
import { SoftwareKey } from "../support/software-key.ts";

const data = "the data";
const at = new Date("2026-01-01");
const authority = new SoftwareKey("ed25519");
const keys = (["ed25519", "ecdsa", "rsa"] as const).map((kind) => new SoftwareKey(kind));
const certified = new SoftwareKey("ed25519");
const certificate = certified.certify(authority, { principals: ["dev"], validAfter: 1, validBefore: 2e9 });
const stranger = new SoftwareKey("ed25519");

const allowedFile = [
  "# signers",
  ...keys.map((key, index) => `dev${index}@example.com,*@ops.example.com ${key.publicKey} comment`),
  `"a b" namespaces="file",valid-after="20200101Z" ${keys[0]?.publicKey ?? ""}`,
  `* cert-authority,namespaces="git",valid-before="20300101Z" ${authority.publicKey}`,
  "",
].join("\n");

/** Some of its lines, because each takes time. */
const shortFile = Buffer.from(allowedFile.split("\n").slice(-3).join("\n"));
const privateKeys = [...keys.map((key) => key.pem), ...keys.map((key) => key.openSsh)];
const listed = parseAllowedSigners(Buffer.from(allowedFile));
const strangers = parseAllowedSigners(Buffer.from(`* ${stranger.publicKey}`));
const signatures = [...keys.map((key) => key.sign(data)), certified.sign(data, certificate)];

describe("With mutated input,", () => {
  it("all signatures are good before", () => {
    const verdicts = signatures.map((signature) => verify({ signature }));

    assert.deepEqual(verdicts, ["G", "G", "G", "G"]);
  });

  it("no signature is good for other data or with other keys, and none leads to an error", () => {
    fc.assert(
      fc.property(fc.constantFrom(...signatures), mutations, fc.boolean(), (original, changes, inText) => {
        const signature = inText
          ? mutate(Buffer.from(original), changes).toString("latin1")
          : armor(mutate(dearmor(original), changes));

        assert.equal(verify({ signature, signed: "other data" }), "B");
        assert.notEqual(verify({ signature, allowed: strangers }), "G");
        if (verify({ signature }) !== "B") {
          assert.deepEqual(meaning(signature), meaning(original));
        }
      }),
      runs(10_000),
    );
  });

  it("no list allows another key, and none leads to an error", () => {
    const signature = stranger.sign(data);
    fc.assert(
      fc.property(mutations, (changes) => {
        const changed = parseAllowedSigners(mutate(shortFile, changes));

        assert.notEqual(verify({ signature, allowed: changed }), "G");
      }),
      runs(10_000),
    );
  });

  it("no private key leads to another error or a bad signature", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...privateKeys), mutations, async (original, changes) => {
        const outcome = await sign(mutate(Buffer.from(original), changes));

        if (outcome.kind === "signed") {
          const own = parseAllowedSigners(Buffer.from(`dev ${outcome.publicKey}`));
          assert.equal(verify({ signature: outcome.signature, allowed: own }), "G");
        }
      }),
      runs(2_000),
    );
  });
});

interface Request {
  readonly signature: string;
  readonly signed?: string;
  readonly allowed?: AllowedSigners;
}

function verify({ signature, signed = data, allowed = listed }: Request): Verdict["status"] {
  return verifySshSignature({ data: Buffer.from(signed), signature, at }, allowed).status;
}

/** What mustn't differ between signatures that are both good. */
function meaning(signature: string): unknown {
  const { key, namespace, hash } = parseSshSignature(dearmor(signature));
  return { fingerprint: key.plain.fingerprint, certificate: key.certificate, namespace, hash };
}

type SignOutcome =
  | { readonly kind: "signed"; readonly publicKey: string; readonly signature: string }
  | { readonly kind: "refused" };

async function sign(file: Buffer): Promise<SignOutcome> {
  try {
    const signer = await sshSigner(file, "key");
    return { kind: "signed", publicKey: signer.publicKey, signature: await signer.sign(Buffer.from(data)) };
  } catch (error) {
    assert.ok(error instanceof SigningKeyError, String(error));
    return { kind: "refused" };
  }
}
