import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import type { Environment } from "@weir/base";
import { otherCertificate, snsCertificate, snsKey, TempFolder } from "@weir/testing";
import type { AzureKey } from "../../../src/master-key.ts";
import { Azure } from "../../support/azure.ts";
import { refused } from "../../support/refused.ts";

const never = new AbortController().signal;
const dataKey = randomBytes(32);
const client = { AZURE_TENANT_ID: "tenant-1", AZURE_CLIENT_ID: "client-1" };
const principal = { ...client, AZURE_CLIENT_SECRET: "client-s3cret" };
const resource = "https://vault.azure.net";

/** Decrypts with an identity from this environment; returns whose token that took. */
async function tokensFor(env: Environment, change: Partial<AzureKey> = {}): Promise<readonly string[]> {
  await using azure = await Azure.start();
  const plain = await azure.service(env).decrypt({ ...azure.record(dataKey), ...change }, never);
  assert.deepEqual(Buffer.from(plain), dataKey);
  return azure.issued;
}

describe("a data key in Azure Key Vault", () => {
  it("is decrypted with a service principal", async () => {
    assert.deepEqual(await tokensFor(principal), [`secret ${resource}`]);
    assert.deepEqual(await tokensFor(principal, { version: "" }), [`secret ${resource}`]);
  });

  it("is decrypted with a certificate", async () => {
    using folder = new TempFolder();
    const path = folder.write("both.pem", `${snsKey}\n${snsCertificate}`);

    for (const setting of ["AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_CERTIFICATE_PATH"]) {
      assert.deepEqual(await tokensFor({ ...client, [setting]: path }), [`certificate ${resource}`]);
    }
  });

  it("is decrypted with the workload identity of a pod", async () => {
    using folder = new TempFolder();
    const env = {
      ...client,
      AZURE_FEDERATED_TOKEN_FILE: folder.write("token", "pod-t0ken\n"),
      AZURE_AUTHORITY_HOST: "https://login.microsoftonline.com",
    };

    assert.deepEqual(await tokensFor(env), [`workload ${resource}`]);
  });

  it("is decrypted with a managed identity if there's nothing else, or if it's asked for", async () => {
    assert.deepEqual(await tokensFor({}), [`machine-own ${resource}`]);
    assert.deepEqual(await tokensFor({ ...principal, AZURE_AUTH_METHOD: "msi" }), [
      `machine-client-1 ${resource}`,
    ]);
  });

  it("is decrypted in another cloud of Azure", async () => {
    const vaultUrl = "https://weir.vault.azure.cn/";

    assert.deepEqual(await tokensFor({ ...principal, AZURE_ENVIRONMENT: "AzureChinaCloud" }, { vaultUrl }), [
      "secret https://vault.azure.cn",
    ]);
  });

  for (const vaultUrl of [
    "https://vault.example.com",
    "https://weir.vault.azure.net.example.com",
    "https://weir.vault.azure.net@example.com",
    "https://weir.vault.azure.net:8443",
    "https://weir.vault.azure.net/path",
    "https://a.weir.vault.azure.net",
    "http://weir.vault.azure.net",
    "https://vault.azure.net",
    "",
  ]) {
    it(`isn't decrypted, and no token requested, for the vault ${vaultUrl}`, async () => {
      await using azure = await Azure.start();
      const record = { ...azure.record(dataKey), vaultUrl };

      await refused(
        azure.service(principal).decrypt(record, never),
        /vault_url isn't the URL of a key vault in Azure/,
      );
      assert.deepEqual([...azure.routes.origins], []);
    });
  }

  it("isn't decrypted with a wrong secret, certificate, or setting", async () => {
    await using azure = await Azure.start();
    using folder = new TempFolder();
    const attempt = (env: Environment): Promise<Uint8Array> =>
      azure.service(env).decrypt(azure.record(dataKey), never);
    const withFile = (text: string): Environment => ({
      ...client,
      AZURE_CLIENT_CERTIFICATE_PATH: folder.write("c.pem", text),
    });

    await refused(
      attempt({ ...client, AZURE_CLIENT_SECRET: "other-s3cret" }),
      /no credentials for Azure Key Vault: https:\/\/login\.microsoftonline\.com\/tenant-1\/oauth2\/v2\.0\/token responded with status 401 \(invalid_client: AADSTS7000215: Invalid secret\.\)/,
    );
    await refused(attempt(withFile(`${snsKey}\n${otherCertificate}`)), /invalid_client/);
    await refused(
      attempt(withFile(snsCertificate)),
      /c\.pem has no certificate with an unencrypted RSA key in PEM/,
    );
    await refused(
      attempt({ AZURE_CLIENT_SECRET: "client-s3cret", AZURE_CLIENT_ID: "client-1" }),
      /AZURE_CLIENT_SECRET is set, but AZURE_CLIENT_ID or AZURE_TENANT_ID isn't; set both/,
    );
    await refused(attempt({ ...principal, AZURE_TENANT_ID: "../other" }), /AZURE_TENANT_ID/);
    await refused(
      attempt({ ...principal, AZURE_AUTHORITY_HOST: "http://example.com" }),
      /AZURE_AUTHORITY_HOST names example\.com without TLS/,
    );
    await refused(
      attempt({ ...client, AZURE_FEDERATED_TOKEN_FILE: "/none" }),
      /AZURE_FEDERATED_TOKEN_FILE: open \/none: no such file/,
    );
    assert.ok(!azure.routes.origins.has("https://weir.vault.azure.net"));
  });

  it("isn't decrypted for another key, with a value of another key, or without permission", async () => {
    await using azure = await Azure.start();
    const service = azure.service(principal);
    const record = azure.record(dataKey);
    const denied = { error: { code: "Forbidden", message: "Caller is not authorized." } };
    const other = randomBytes(256).toString("base64url");

    await refused(service.decrypt({ ...record, name: "other" }, never), /KeyNotFound: .*; check the name/);
    await refused(
      service.decrypt({ ...record, name: "../secrets/x" }, never),
      /the name or version isn't one of a key/,
    );
    await refused(
      service.decrypt({ ...record, version: "a/b" }, never),
      /the name or version isn't one of a key/,
    );
    await refused(
      service.decrypt({ ...record, encryptedDataKey: other }, never),
      /BadParameter.*sops updatekeys/,
    );
    await refused(service.decrypt({ ...record, encryptedDataKey: "a b" }, never), /isn't valid base64url/);
    azure.faults.push({ status: 403, body: denied });
    await refused(
      service.decrypt(record, never),
      /Forbidden: Caller is not authorized\.\); allow the identity/,
    );
    azure.faults.push({ status: 401, body: { error: { code: "Unauthorized", message: "AKV10032" } } });
    await refused(
      service.decrypt(record, never),
      /Unauthorized: AKV10032\); check that the identity of this process belongs to/,
    );
    azure.faults.push({ status: 200, body: { value: "" } });
    await refused(service.decrypt(record, never), /responded without a decrypted key/);
  });
});
