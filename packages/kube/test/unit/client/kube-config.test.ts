import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { credentialsOf } from "../../../src/client/kube-config.ts";
import { type KubeConfigFile, parseKubeConfig } from "../../../src/client/kube-config-file.ts";

function configWith(user: object, cluster: object = {}): KubeConfigFile {
  return parseKubeConfig(
    JSON.stringify({
      "current-context": "c",
      clusters: [{ name: "cluster", cluster: { server: "https://host:6443/", ...cluster } }],
      users: [{ name: "user", user }],
      contexts: [{ name: "c", context: { cluster: "cluster", user: "user" } }],
    }),
    "/k/config",
  );
}

describe("credentialsOf", () => {
  it("tells the server without a slash, and the default namespace where the context sets none", () => {
    const { server, namespace, proxyUrl } = credentialsOf(configWith({}), { env: {} });

    assert.deepEqual(
      { server, namespace, proxyUrl },
      { server: "https://host:6443", namespace: "default", proxyUrl: undefined },
    );
  });

  it("keeps the path under which a server is found", () => {
    const { server } = credentialsOf(configWith({}, { server: "https://rancher/k8s/clusters/c-1/" }), {
      env: {},
    });

    assert.equal(server, "https://rancher/k8s/clusters/c-1");
  });

  it("says who we are by a token, before a password", async () => {
    const withToken = credentialsOf(configWith({ token: "t", username: "u", password: "p" }), { env: {} });
    const withPassword = credentialsOf(configWith({ username: "u", password: "p" }), { env: {} });

    assert.deepEqual(await withToken.headers(), { Authorization: "Bearer t" });
    assert.deepEqual(await withPassword.headers(), { Authorization: "Basic dTpw" });
  });

  it("acts as another where the user says so", async () => {
    const credentials = credentialsOf(
      configWith({
        token: "t",
        as: "jane",
        "as-uid": "u1",
        "as-groups": ["dev", "ops"],
        "as-user-extra": { "example.com/scopes": ["view"] },
      }),
      { env: {} },
    );

    assert.deepEqual(await credentials.headers(), {
      Authorization: "Bearer t",
      "Impersonate-User": "jane",
      "Impersonate-Uid": "u1",
      "Impersonate-Group": ["dev", "ops"],
      "Impersonate-Extra-example.com%2Fscopes": ["view"],
    });
  });

  it("takes certificates from the data before the files", async () => {
    const data = (text: string): string => Buffer.from(text).toString("base64");
    const credentials = credentialsOf(
      configWith(
        {
          "client-certificate-data": data("cert"),
          "client-certificate": "/nowhere",
          "client-key-data": data("key"),
        },
        {
          "certificate-authority-data": data("ca"),
          "tls-server-name": "kube",
          "insecure-skip-tls-verify": true,
        },
      ),
      { env: {} },
    );

    assert.deepEqual(await credentials.tls(), {
      ca: Buffer.from("ca"),
      cert: Buffer.from("cert"),
      key: Buffer.from("key"),
      servername: "kube",
      rejectUnauthorized: false,
    });
  });

  it("has nothing else to offer where the server refuses a token that never changes", async () => {
    const credentials = credentialsOf(configWith({ token: "t" }), { env: {} });

    assert.equal(credentials.renew(await credentials.headers()), false);
  });

  const wrong: readonly (readonly [string, () => unknown, string])[] = [
    [
      "a context that does not exist",
      () => credentialsOf(configWith({}), { env: {}, context: "x" }),
      'context "x" does not exist',
    ],
    [
      "no context at all",
      () => credentialsOf(parseKubeConfig("", "/k"), { env: {} }),
      "no kubeconfig with a current context was found",
    ],
    [
      "a cluster that does not exist",
      () =>
        credentialsOf(
          parseKubeConfig("current-context: c\ncontexts: [{name: c, context: {cluster: x}}]", "/k"),
          { env: {} },
        ),
      'context "c": cluster "x" does not exist',
    ],
    [
      "a server that is no URL",
      () => credentialsOf(configWith({}, { server: "ftp://host" }), { env: {} }),
      'context "c": the server of its cluster is no http(s) URL',
    ],
    [
      "a plugin of an unknown version",
      () => credentialsOf(configWith({ exec: { apiVersion: "v9", command: "x" } }), { env: {} }),
      'user user: exec apiVersion "v9" is none of client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1',
    ],
    [
      "a plugin without a command",
      () =>
        credentialsOf(configWith({ exec: { apiVersion: "client.authentication.k8s.io/v1" } }), { env: {} }),
      "user user: exec has no command",
    ],
    [
      "an auth-provider that client-go dropped",
      () => credentialsOf(configWith({ "auth-provider": { name: "gcp" } }), { env: {} }),
      'user user: auth-provider "gcp" is not supported: use an exec plugin instead',
    ],
  ];
  for (const [what, act, message] of wrong) {
    it(`refuses ${what}`, () => {
      assert.throws(act, { name: "KubeConfigError", message });
    });
  }
});
