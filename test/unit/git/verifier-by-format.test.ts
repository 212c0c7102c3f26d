import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KeyVerdict, KeyVerifier, Verdict } from "../../../src/git/signature.ts";
import { verifierByFormat } from "../../../src/git/verifier-by-format.ts";

const good = (signer: string): KeyVerdict => ({ status: "G", key: "K", signer, reason: "" });
const openpgp: KeyVerifier = { verify: () => Promise.resolve(good("openpgp")) };
const ssh: KeyVerifier = {
  verify: () => Promise.resolve(good("ssh")),
  reload: () => Promise.resolve(true),
};

function verdictOn(text: string, verifiers: { ssh?: KeyVerifier } = { ssh }): Promise<Verdict> {
  const signed = { data: Buffer.from("data"), signature: Buffer.from(text) };
  return verifierByFormat({ openpgp, ...verifiers }).verify(signed);
}

describe("a signature", () => {
  it("goes to the verifier of its kind", async () => {
    assert.equal((await verdictOn("-----BEGIN PGP SIGNATURE-----\nx")).signer, "openpgp");
    assert.equal((await verdictOn("-----BEGIN PGP MESSAGE-----\nx")).signer, "openpgp");
    assert.equal((await verdictOn("-----BEGIN SSH SIGNATURE-----\nx")).signer, "ssh");
  });

  it("of SSH isn't good without allowed signers, and names the flag", async () => {
    assert.deepEqual(await verdictOn("-----BEGIN SSH SIGNATURE-----\nx", {}), {
      status: "E",
      key: "",
      reason: "it has an SSH signature; set --git-ssh-allowed-signers",
      accepted: false,
    });
  });

  for (const [kind, text] of [
    ["X.509", "-----BEGIN SIGNED MESSAGE-----\nx"],
    ["unknown kind", "-----BEGIN SOMETHING-----"],
    ["unknown kind", ""],
    ["unknown kind", " -----BEGIN PGP SIGNATURE-----"],
  ] as const) {
    it(`such as ${JSON.stringify(text)} isn't good, and says which kind it is`, async () => {
      const { status, reason } = await verdictOn(text);

      assert.equal(status, "E");
      assert.ok(reason.includes(kind), reason);
    });
  }

  it("is enough for what was synced before if git verify-tag accepts it: trusted or not, but not of any SSH key", async () => {
    const accepted = async (start: string, status: KeyVerdict["status"]): Promise<boolean> => {
      const verifier: KeyVerifier = { verify: () => Promise.resolve({ status, key: "", reason: "" }) };
      const signed = { data: Buffer.from("data"), signature: Buffer.from(start) };
      return (await verifierByFormat({ openpgp: verifier, ssh: verifier }).verify(signed)).accepted;
    };
    const statuses = ["G", "U", "X", "Y", "R", "B", "E"] as const;
    const of = async (start: string): Promise<string> => {
      const each = await Promise.all(
        statuses.map(async (status) => ((await accepted(start, status)) ? status : "")),
      );
      return each.join("");
    };

    assert.equal(await of("-----BEGIN PGP SIGNATURE-----"), "GU");
    assert.equal(await of("-----BEGIN SSH SIGNATURE-----"), "G");
  });

  it("is verified again when keys change", async () => {
    const signal = new AbortController().signal;

    assert.equal(await verifierByFormat({ openpgp, ssh }).reload?.(signal), true);
    assert.equal(await verifierByFormat({ openpgp }).reload?.(signal), false);
  });
});
