import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { CoreV1Api, KubeConfig, type User } from "@kubernetes/client-node";
import { startEmbeddedCluster } from "@weir/embedded-cluster/client-node";
import { connectCluster, credentialsOf } from "@weir/engine/client-node";
import { KubeConfigError } from "@weir/kube/client";
import { TempFolder } from "@weir/testing";

const server = "https://127.0.0.1:6443";

/** A KubeConfig with one context, "here". */
function kubeConfigFor(user: Partial<User>, cluster: object = {}, namespace?: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: "here", server, skipTLSVerify: false, ...cluster }],
    users: [{ name: "me", ...user }],
    contexts: [
      { name: "here", cluster: "here", user: "me", ...(namespace === undefined ? {} : { namespace }) },
    ],
    currentContext: "here",
  });
  return config;
}

/** A user of a plugin that counts its runs in a file, and gives that number as its token. */
function pluginUser(counter: string, status: string): Partial<User> {
  const script = `
    const { appendFileSync, readFileSync } = require("node:fs");
    appendFileSync(${JSON.stringify(counter)}, "x");
    const runs = readFileSync(${JSON.stringify(counter)}, "utf8").length;
    console.log(JSON.stringify({ status: ${status} }));
  `;
  return { exec: { command: process.execPath, args: ["-e", script] } };
}

describe("the credentials of a KubeConfig", () => {
  it("are those of its current context", async () => {
    const credentials = credentialsOf(
      kubeConfigFor({ token: "t0ken" }, { server: `${server}/prefix/` }, "mine"),
    );

    assert.equal(credentials.server, `${server}/prefix`);
    assert.equal(credentials.namespace, "mine");
    assert.equal(credentials.proxyUrl, undefined);
    assert.deepEqual(await credentials.headers(), { Authorization: "Bearer t0ken" });
    assert.deepEqual(await credentials.tls(), {});
  });

  it("have the namespace default if the context has none", () => {
    assert.equal(credentialsOf(kubeConfigFor({})).namespace, "default");
  });

  it("contain certificates, the server's name, and whether it is verified", async () => {
    const text = (value: string): string => Buffer.from(value).toString("base64");
    const user = { certData: text("cert"), keyData: text("key") };
    const cluster = { caData: text("ca"), tlsServerName: "api.example.test", skipTLSVerify: true };

    const tls = await credentialsOf(kubeConfigFor(user, cluster)).tls();

    assert.deepEqual(tls, {
      ca: Buffer.from("ca"),
      cert: Buffer.from("cert"),
      key: Buffer.from("key"),
      servername: "api.example.test",
      rejectUnauthorized: false,
    });
  });

  it("contain the proxy", () => {
    const proxyUrl = "http://me:secret@proxy.example.test:3128";

    assert.equal(credentialsOf(kubeConfigFor({}, { proxyUrl })).proxyUrl, proxyUrl);
  });

  it("contain a name and a password", async () => {
    const credentials = credentialsOf(kubeConfigFor({ username: "me", password: "a:b" }));

    assert.deepEqual(await credentials.headers(), {
      Authorization: `Basic ${Buffer.from("me:a:b").toString("base64")}`,
    });
  });

  it("contain whom the user acts as", async () => {
    const credentials = credentialsOf(kubeConfigFor({ token: "t", impersonateUser: "other" }));

    assert.deepEqual(await credentials.headers(), { "Impersonate-User": "other", Authorization: "Bearer t" });
  });

  it("are read from the files of a service account", async () => {
    using folder = new TempFolder();
    const tokenFile = folder.write("token", "t0ken\n");
    const user = { authProvider: { name: "tokenFile", config: { tokenFile } } };
    const credentials = credentialsOf(kubeConfigFor(user, { caFile: folder.write("ca.crt", "one") }));

    const headers = await credentials.headers();
    const before = await credentials.tls();
    folder.write("ca.crt", "two");
    const after = await credentials.tls();

    assert.deepEqual(headers, { Authorization: "Bearer t0ken" });
    assert.deepEqual([before.ca?.toString(), after.ca?.toString()], ["one", "two"]);
  });

  it("run a plugin once for all who wait, and again when its token is over", async () => {
    using folder = new TempFolder();
    const counter = folder.write("runs", "");
    const status = `{ token: "t" + runs, expirationTimestamp: new Date(Date.now() + (runs - 1) * 3_600_000) }`;
    const credentials = credentialsOf(kubeConfigFor(pluginUser(counter, status)));

    const together = await Promise.all([credentials.headers(), credentials.headers(), credentials.headers()]);
    const later = [await credentials.headers(), await credentials.headers()];

    assert.deepEqual(together, Array(3).fill({ Authorization: "Bearer t1" }));
    assert.deepEqual(later, Array(2).fill({ Authorization: "Bearer t2" }));
    assert.equal(readFileSync(counter, "utf8"), "xx");
  });

  it("contain the certificate that a plugin gives", async () => {
    using folder = new TempFolder();
    const status = `{ clientCertificateData: "cert", clientKeyData: "key" }`;
    const credentials = credentialsOf(kubeConfigFor(pluginUser(folder.write("runs", ""), status)));

    assert.deepEqual(await credentials.tls(), { cert: "cert", key: "key" });
  });

  it("come from an authenticator that was added", async () => {
    const config = kubeConfigFor({});
    config.addAuthenticator({
      isAuthProvider: () => true,
      applyAuthentication(_user, options) {
        options.headers = { Authorization: "Bearer added" };
        return Promise.resolve();
      },
    });

    assert.deepEqual(await credentialsOf(config).headers(), { Authorization: "Bearer added" });
  });

  it("stay those of one cluster when the KubeConfig chooses another context or loads another file", async () => {
    const config = kubeConfigFor({ token: "t0ken" });
    config.addUser({ name: "other", token: "other" });
    config.addContext({ name: "there", cluster: "here", user: "other" });
    const credentials = credentialsOf(config);

    config.setCurrentContext("there");
    const chosen = await credentials.headers();
    config.loadFromClusterAndUser(
      { name: "here", server, skipTLSVerify: false },
      { name: "me", token: "new" },
    );
    const loaded = await credentials.headers();

    assert.deepEqual([chosen, loaded], Array(2).fill({ Authorization: "Bearer t0ken" }));
  });

  it("are not sent where others can read them", async () => {
    const credentials = credentialsOf(kubeConfigFor({ token: "t0ken" }, { server: "http://127.0.0.1:8001" }));

    assert.deepEqual(await credentials.headers(), {});
  });

  it("are refused without a cluster", () => {
    assert.throws(() => credentialsOf(new KubeConfig()), KubeConfigError);
  });

  it("name what a plugin says when it fails", async () => {
    const args = ["-e", 'console.error("log in first"); process.exit(1)'];
    const credentials = credentialsOf(kubeConfigFor({ exec: { command: process.execPath, args } }));

    await assert.rejects(
      credentials.headers(),
      (error) => error instanceof KubeConfigError && /log in first/.test(error.message),
    );
  });
});

describe("an engine with a KubeConfig", () => {
  it("syncs, and prunes", async () => {
    await using cluster = await startEmbeddedCluster();
    const kubeConfig = cluster.kubeConfig();
    const label = { key: "test/owner", value: "me" };
    const metadata = { name: "a", namespace: "default", labels: { [label.key]: label.value } };
    const target = { object: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } } };
    const request = {
      isManaged: () => true,
      prune: "on",
      allowEmpty: true,
      pruneLimit: "100%",
    } as const;
    const { signal } = new AbortController();
    await using connected = connectCluster({ kubeConfig, managedLabel: label });

    const first = await connected.engine.sync({ ...request, targets: [target], revision: "1" }, signal);
    const second = await connected.engine.sync({ ...request, targets: [], revision: "2" }, signal);

    assert.deepEqual(
      [first, second].map(({ resources }) => resources.map(({ key, change }) => `${key.name} ${change}`)),
      [["a created"], ["a deleted"]],
    );
    const { items } = await kubeConfig
      .makeApiClient(CoreV1Api)
      .listNamespacedConfigMap({ namespace: "default" });
    assert.ok(!items.some(({ metadata: found }) => found?.name === "a"));
  });
});
