import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { systemClock } from "@weir/base";
import { Keyring } from "@weir/openpgp";
import { AgeKeyService } from "@weir/sops";
import { answer, RecordedLog, serve } from "@weir/testing";
import { openDecryption } from "../../cmd/fluxd/decryption.ts";

const noKeys = (): Promise<Keyring> => Promise.resolve(new Keyring());
const never = new AbortController().signal;
const fixtures = join(import.meta.dirname, "../../packages/sops/test/fixtures");
const age = new AgeKeyService({
  environment: { SOPS_AGE_KEY_FILE: join(fixtures, "keys/age.txt") },
  configFolder: undefined,
});

/** A file that the real sops encrypted for age, with its data key now kept by a server of Vault. */
async function keptByVault(
  address: string,
): Promise<{ readonly file: Buffer; readonly dataKey: Uint8Array }> {
  const lines = readFileSync(join(fixtures, "files.jsonl"), "utf8").split("\n");
  const line = lines.find((each) => each.includes('"name":"a Secret with age"')) ?? "{}";
  const { encrypted } = JSON.parse(line) as { encrypted: string };
  const block = /^ {4}age:\n(?: {8}.*\n)+/m;
  const [, message = ""] = /( {12}-----BEGIN[^]*END AGE ENCRYPTED FILE-----\n)/.exec(encrypted) ?? [];
  const encryptedDataKey = message.replaceAll(/^ {12}/gm, "");
  const dataKey = await age.decrypt({ type: "age", recipient: "", encryptedDataKey }, never);
  const record = `    hc_vault:
        - vault_address: ${address}
          engine_path: transit
          key_name: sops
          created_at: "2026-11-22T21:43:14Z"
          enc: vault:v1:abc
`;
  return { file: Buffer.from(encrypted.replace(block, record)), dataKey };
}

describe("a file with --sops whose key is kept by Vault", () => {
  it("is decrypted with the token in the environment", async () => {
    let plaintext = "";
    await using vault = await serve(({ url, headers }, response) => {
      const isRight = url === "/v1/transit/decrypt/sops" && headers["x-vault-token"] === "a-token";
      answer(response, isRight ? { status: 200, body: { data: { plaintext } } } : { status: 403, body: {} });
    });
    await using cleanup = new AsyncDisposableStack();
    const { file, dataKey } = await keptByVault(vault.url);
    plaintext = Buffer.from(dataKey).toString("base64");
    const logger = new RecordedLog();
    const decryptWith = (token: string): Promise<Uint8Array> | undefined =>
      openDecryption(
        { sops: true, gitSecret: false },
        { env: { VAULT_TOKEN: token }, clock: systemClock, cleanup, logger, gpgKeyring: noKeys },
      ).decrypt?.(file, never);

    const plain = Buffer.from((await decryptWith("a-token")) ?? []).toString();

    assert.match(plain, /password: hunter2/);
    await assert.rejects(
      decryptWith("other-token") ?? Promise.resolve(),
      /127\.0\.0\.1:\d+\/v1\/transit\/keys\/sops: can't decrypt with Vault: .*status 403; renew the token/,
    );
  });
});
