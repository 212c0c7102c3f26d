import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { recoverDataKey } from "../../../src/data-key.ts";
import { DataKeyError } from "../../../src/errors.ts";
import type { KeyService } from "../../../src/key-service.ts";
import type { MasterKey } from "../../../src/master-key.ts";
import { Aws, keyArn } from "../../support/aws.ts";
import { Azure } from "../../support/azure.ts";
import { Vault } from "../../support/vault.ts";

const never = new AbortController().signal;
const dataKey = randomBytes(32);

/** A group of three keys, and the services that have them. */
async function openGroup(): Promise<
  AsyncDisposable &
    KeyService & {
      readonly aws: Aws;
      readonly azure: Azure;
      readonly vault: Vault;
      readonly group: readonly MasterKey[];
    }
> {
  const cleanup = new AsyncDisposableStack();
  const aws = cleanup.use(await Aws.start());
  const azure = cleanup.use(await Azure.start());
  const vault = cleanup.use(await Vault.start());
  const services = {
    kms: aws.service({ AWS_ACCESS_KEY_ID: "AKIAOWN", AWS_SECRET_ACCESS_KEY: "own-s3cret" }),
    azure_kv: azure.service({}),
    hc_vault: vault.service({ VAULT_TOKEN: "vault-t0ken" }),
  };
  return {
    aws,
    azure,
    vault,
    group: [aws.record(dataKey), azure.record(dataKey), vault.record(dataKey)],
    decrypt: (key, signal) => services[key.type as keyof typeof services].decrypt(key, signal),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

const denied = { status: 403, body: { errors: ["denied"] } };

describe("a data key with several master keys", () => {
  it("is decrypted with the first key that works, and the others aren't asked", async () => {
    await using opened = await openGroup();
    opened.aws.faults.push(denied);

    const plain = await recoverDataKey({ groups: [opened.group], threshold: 0 }, opened, never);

    assert.deepEqual(Buffer.from(plain), dataKey);
    assert.deepEqual(opened.vault.tokens, []);
  });

  it("is an error that names each key, and why it failed, if none works", async () => {
    await using opened = await openGroup();
    opened.aws.faults.push(denied);
    opened.azure.faults.push(denied);
    opened.vault.faults.push(denied);

    await assert.rejects(recoverDataKey({ groups: [opened.group], threshold: 0 }, opened, never), (error) => {
      assert.ok(error instanceof DataKeyError);
      assert.deepEqual(
        error.failures.map(({ key }) => key),
        opened.group,
      );
      const reasons = [
        `${keyArn}: can't decrypt with AWS KMS: .*`,
        "https://weir.vault.azure.net/keys/sops/[0-9a-f]+: can't decrypt with Azure Key Vault: .*",
        `${opened.vault.url}/v1/teams/sops/keys/prod.key: can't decrypt with Vault: .*`,
      ];
      assert.match(error.message, new RegExp(`\\(${reasons.join("; ")}\\)$`));
      assert.doesNotMatch(error.message, /s3cret|t0ken/);
      return true;
    });
  });
});
