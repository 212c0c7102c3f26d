import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { credentialsOf } from "../../../src/client/kube-config.ts";
import type { KubeConfigFile } from "../../../src/client/kube-config-file.ts";
import { parseKubeConfig } from "../../../src/client/parse-kube-config.ts";

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
      "a current context that does not exist",
      () => credentialsOf(parseKubeConfig("current-context: x\ncontexts: [{name: z}]", "/k"), { env: {} }),
      'current-context names "x", which does not exist; choose one of "z"',
    ],
    [
      "no context at all",
      () => credentialsOf(parseKubeConfig("", "/k"), { env: {} }),
      "no kubeconfig has a current context, and this is not a pod with a service account",
    ],
    [
      "a context without a cluster",
      () => credentialsOf(parseKubeConfig("current-context: x\ncontexts: [{name: x}]", "/k"), { env: {} }),
      'context "x" names no cluster, and this is not a pod with a service account',
    ],
    [
      "a cluster that does not exist",
      () =>
        credentialsOf(
          parseKubeConfig("current-context: x\ncontexts: [{name: x, context: {cluster: z}}]", "/k"),
          { env: {} },
        ),
      'context "x" names cluster "z", which does not exist, and this is not a pod with a service account',
    ],
    [
      "a server that is not an http URL",
      () => credentialsOf(configWith({}, { server: "ftp://host" }), { env: {} }),
      'cluster "cluster": server must be an http or https URL, such as https://host:6443',
    ],
    [
      "a cluster and a user with everything wrong, and names it all",
      () =>
        credentialsOf(
          configWith(
            {
              token: "t",
              username: "u",
              "client-certificate": "a",
              "client-certificate-data": "YQ==",
              "as-uid": "1",
              exec: { apiVersion: "client.authentication.k8s.io/v1", env: [{}] },
              "auth-provider": {},
            },
            {
              server: "",
              "proxy-url": "ftp://user:s3cret@host",
              "certificate-authority": "a",
              "certificate-authority-data": "YQ==",
              "insecure-skip-tls-verify": true,
            },
          ),
          { env: {} },
        ),
      [
        'user "user": has a token and a password; remove one of them',
        'user "user": has both client-certificate and client-certificate-data; remove one of them',
        'user "user": client-certificate needs a key; set client-key or client-key-data',
        'user "user": as-uid, as-groups and as-user-extra need as, the user to impersonate',
        'user "user": exec: set command to the plugin to run',
        'user "user": exec: set interactiveMode to one of Never, IfAvailable, Always',
        'user "user": exec: each variable in env needs a name',
        'user "user": exec and auth-provider exclude each other; remove one of them',
        'cluster "cluster": set server to the URL of the API server',
        'cluster "cluster": proxy-url must be an http, https or socks5 URL',
        'cluster "cluster": has both certificate-authority and certificate-authority-data; remove one of them',
        'cluster "cluster": insecure-skip-tls-verify and a certificate authority exclude each other; remove one of them',
      ].join("; "),
    ],
    [
      "a plugin of an unknown version",
      () =>
        credentialsOf(configWith({ exec: { apiVersion: "v9", command: "x", interactiveMode: "Never" } }), {
          env: {},
        }),
      'user "user": exec: apiVersion "v9" is not supported; use one of client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1',
    ],
    [
      "an auth-provider that client-go dropped",
      () => credentialsOf(configWith({ "auth-provider": { name: "gcp" } }), { env: {} }),
      'user "user": auth-provider "gcp" is not supported; use an exec plugin instead',
    ],
  ];
  for (const [what, act, message] of wrong) {
    it(`refuses ${what}`, () => {
      assert.throws(act, { name: "KubeConfigError", message });
    });
  }
});
