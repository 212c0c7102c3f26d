import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { selfSigned } from "@weir/embedded-cluster";
import { TempFolder } from "@weir/testing";
import { refused } from "../../support/refused.ts";
import { Vault } from "../../support/vault.ts";

const never = new AbortController().signal;
const dataKey = randomBytes(32);
const env = { VAULT_TOKEN: "vault-t0ken" };

describe("a data key in Vault", () => {
  it("is decrypted with the token in the environment or in the home folder", async () => {
    await using vault = await Vault.start();
    using home = new TempFolder();
    home.write(".vault-token", "vault-t0ken\n");

    for (const each of [env, { HOME: home.path }, { ...env, VAULT_ADDR: `${vault.url}/` }]) {
      const plain = await vault.service(each).decrypt(vault.record(dataKey), never);
      assert.deepEqual(Buffer.from(plain), dataKey);
    }
  });

  it("is decrypted in a namespace", async () => {
    await using vault = await Vault.start();
    vault.namespace = "team-a";

    await refused(
      vault.service(env).decrypt(vault.record(dataKey), never),
      /status 404 \(no handler for route/,
    );
    const plain = await vault
      .service({ ...env, VAULT_NAMESPACE: "team-a" })
      .decrypt(vault.record(dataKey), never);

    assert.deepEqual(Buffer.from(plain), dataKey);
  });

  it("is decrypted by the agent in the environment, which has a token", async () => {
    await using vault = await Vault.start();
    vault.isAgent = true;
    const record = { ...vault.record(dataKey), vaultAddress: "https://vault.example.com" };

    const plain = await vault.service({ VAULT_AGENT_ADDR: vault.url }).decrypt(record, never);

    assert.deepEqual(Buffer.from(plain), dataKey);
    assert.deepEqual(vault.tokens, [undefined]);
  });

  it("is decrypted over TLS with an authority of our own, and with a certificate of ours", async () => {
    const { key, certificate: cert } = selfSigned(Date.now());
    await using vault = await Vault.start({ key, cert, requestCert: true });
    using folder = new TempFolder();
    const ca = folder.write("ca.pem", cert);
    const attempt = (more: object): Promise<Uint8Array> =>
      vault.service({ ...env, ...more }).decrypt(vault.record(dataKey), never);

    await refused(
      attempt({}),
      /can't decrypt with Vault: self-signed certificate; set VAULT_CACERT to a file/,
    );
    for (const settings of [
      { VAULT_CACERT: ca },
      { VAULT_CACERT_BYTES: cert },
      { VAULT_SKIP_VERIFY: "true" },
      { VAULT_CACERT: ca, VAULT_CLIENT_CERT: ca, VAULT_CLIENT_KEY: folder.write("key.pem", key) },
    ]) {
      assert.deepEqual(Buffer.from(await attempt(settings)), dataKey);
    }
    await refused(attempt({ VAULT_CACERT: "/none" }), /VAULT_CACERT: \/none doesn't exist; correct the path/);
    await refused(
      attempt({ VAULT_CLIENT_CERT: ca }),
      /only one of VAULT_CLIENT_CERT and VAULT_CLIENT_KEY is set/,
    );
  });

  it("isn't decrypted by a server other than that in the environment, which doesn't get the token", async () => {
    await using vault = await Vault.start();
    await using stranger = await Vault.start();
    const service = vault.service({ ...env, VAULT_ADDR: vault.url });

    await refused(
      service.decrypt({ ...vault.record(dataKey), vaultAddress: stranger.url }, never),
      /the file names the server http:\/\/127\.0\.0\.1:\d+, but VAULT_ADDR is http:\/\/127\.0\.0\.1:\d+, so the token isn't sent; correct vault_address or VAULT_ADDR/,
    );
    assert.deepEqual([vault.tokens, stranger.tokens], [[], []]);
  });

  it("doesn't follow a redirect with the token", async () => {
    await using vault = await Vault.start();
    await using stranger = await Vault.start();
    vault.faults.push({ status: 307, body: {}, headers: { location: `${stranger.url}/v1/x` } });

    await refused(
      vault.service(env).decrypt(vault.record(dataKey), never),
      /status 307; redirects aren't followed/,
    );
    assert.deepEqual(stranger.tokens, []);
  });

  it("isn't decrypted without TLS, unless the environment names that server", async () => {
    await using vault = await Vault.start();
    const vaultAddress = "http://vault.example.com:8200";
    const record = { ...vault.record(dataKey), vaultAddress };

    await refused(
      vault.service(env).decrypt(record, never),
      /vault_address names vault\.example\.com:8200 without TLS, .*; use https:\/\/, or set VAULT_ADDR to this address to allow it/,
    );
    assert.deepEqual([...vault.routes.origins], []);
    await refused(
      vault.service({ ...env, VAULT_ADDR: vaultAddress }).decrypt(record, never),
      /getaddrinfo ENOTFOUND vault\.example\.com; check that this host can reach the service/,
    );
  });

  it("isn't decrypted without a token, or with one that isn't one", async () => {
    await using vault = await Vault.start();

    await refused(
      vault.service({}).decrypt(vault.record(dataKey), never),
      /no token for Vault; set VAULT_TOKEN/,
    );
    await refused(
      vault.service({ VAULT_TOKEN: "vault-t0ken\nx: y" }).decrypt(vault.record(dataKey), never),
      /contains spaces or line breaks/,
    );
    await refused(
      vault.service({ VAULT_TOKEN: "other-t0ken" }).decrypt(vault.record(dataKey), never),
      /status 403 \(permission denied\); renew the token/,
    );
  });

  it("isn't decrypted for a record that leads elsewhere, or with a value of another key", async () => {
    await using vault = await Vault.start();
    await using other = await Vault.start();
    const service = vault.service(env);
    const record = vault.record(dataKey);

    for (const change of [
      { enginePath: "../sys" },
      { enginePath: "" },
      { keyName: ".." },
      { keyName: "a/b" },
      { keyName: "x?y" },
    ]) {
      await refused(service.decrypt({ ...record, ...change }, never), /engine_path or key_name isn't one of/);
    }
    for (const vaultAddress of [
      "",
      "vault",
      "ftp://x",
      `${vault.url}/prefix`,
      "https://a:t0ken@vault.example.com",
    ]) {
      await refused(
        service.decrypt({ ...record, vaultAddress }, never),
        /vault_address isn't the address of a server/,
      );
    }
    assert.deepEqual(vault.tokens, []);
    const { encryptedDataKey } = other.record(dataKey);
    await refused(
      service.decrypt({ ...record, encryptedDataKey }, never),
      /invalid ciphertext: unable to decrypt\); the data key was encrypted with another key/,
    );
  });

  it("isn't decrypted by a server that repeats the token, or says nothing of a key", async () => {
    await using vault = await Vault.start();
    const attempt = (): Promise<Uint8Array> => vault.service(env).decrypt(vault.record(dataKey), never);

    vault.faults.push({ status: 400, body: { errors: ["you sent vault-t0ken \u001b[2J"] } });
    await refused(attempt(), /\(you sent … \\u001b\[2J\)/);
    vault.faults.push({ status: 200, body: { data: { plaintext: "%" } } });
    await refused(attempt(), /responded without a decrypted key/);
  });
});
