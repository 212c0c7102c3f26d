import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  currentNamespace,
  emptyKubeConfig,
  KubeConfigError,
  mergeKubeConfigs,
} from "../../../src/client/kube-config-file.ts";
import { parseKubeConfig } from "../../../src/client/parse-kube-config.ts";

const text = `
apiVersion: v1
kind: Config
current-context: dev
clusters:
- name: dev
  cluster: {server: https://dev:6443, certificate-authority: ca.crt}
users:
- name: me
  user: {client-certificate: /etc/me.crt, client-key: me.key, exec: {command: ./bin/login}}
contexts:
- name: dev
  context: {cluster: dev, user: me, namespace: team}
- name: bare
  context: {cluster: dev, user: me}
`;

describe("parseKubeConfig", () => {
  it("takes file names as relative to the folder of the kubeconfig", () => {
    const config = parseKubeConfig(text, "/home/me/.kube/config");

    assert.deepEqual(config, {
      currentContext: "dev",
      clusters: new Map([
        ["dev", { server: "https://dev:6443", "certificate-authority": "/home/me/.kube/ca.crt" }],
      ]),
      users: new Map([
        [
          "me",
          {
            "client-certificate": "/etc/me.crt",
            "client-key": "/home/me/.kube/me.key",
            exec: { command: "/home/me/.kube/bin/login" },
          },
        ],
      ]),
      contexts: new Map<string, object>([
        ["dev", { cluster: "dev", user: "me", namespace: "team" }],
        ["bare", { cluster: "dev", user: "me" }],
      ]),
    });
  });

  it("leaves a plugin that is looked up in PATH as it is", () => {
    const config = parseKubeConfig("users: [{name: me, user: {exec: {command: aws}}}]", "/k");

    assert.deepEqual(config.users.get("me"), { exec: { command: "aws" } });
  });

  it("reads an empty file as one that says nothing", () => {
    assert.deepEqual(parseKubeConfig("\n", "/k"), emptyKubeConfig);
    assert.deepEqual(parseKubeConfig("---\n", "/k"), emptyKubeConfig);
  });

  it("names the file and the line of what is not YAML, and quotes nothing of it", () => {
    const broken = "users:\n- name: me\n  user: {token: s3cret\nclusters: ]";

    assert.throws(
      () => parseKubeConfig(broken, "/home/me/.kube/config"),
      (error) =>
        error instanceof KubeConfigError &&
        /^kubeconfig \/home\/me\/.kube\/config is not valid YAML at line \d+/.test(error.message) &&
        !error.message.includes("s3cret") &&
        error.cause === undefined,
    );
  });

  const wrong: readonly (readonly [text: string, message: string])[] = [
    ["- a", "kubeconfig /k must be a mapping with the fields clusters, users and contexts"],
    ["kind: Pod", '/k is not a kubeconfig: it must have "kind: Config" and "apiVersion: v1", or neither'],
    ["current-context: 1", "kubeconfig /k: current-context must be text; put quotes around the value"],
    ["users: {}", "kubeconfig /k: users must be a list"],
    ["users: [text]", "kubeconfig /k: each of the users must be a mapping with a name that is text"],
    ["users: [{name: me, user: s3cret}]", 'kubeconfig /k: user "me": the field user must be a mapping'],
    [
      "users: [{name: me, user: {token: 1234567}}]",
      'kubeconfig /k: user "me": token must be text; put quotes around the value',
    ],
    [
      "clusters: [{name: c, cluster: {certificate-authority-data: s3cret}}]",
      'kubeconfig /k: cluster "c": certificate-authority-data must be base64',
    ],
    [
      'clusters: [{name: c, cluster: {insecure-skip-tls-verify: "true"}}]',
      'kubeconfig /k: cluster "c": insecure-skip-tls-verify must be true or false, without quotes',
    ],
    [
      "users: [{name: me, user: {as-groups: [1]}}]",
      'kubeconfig /k: user "me": as-groups must be a list of texts',
    ],
    ["users: [{name: me}, {name: me}]", 'kubeconfig /k has two users named "me"; remove or rename one'],
  ];
  for (const [text, message] of wrong) {
    it(`refuses ${text}`, () => {
      assert.throws(() => parseKubeConfig(text, "/k"), { name: "KubeConfigError", message, file: "/k" });
    });
  }
});

describe("mergeKubeConfigs", () => {
  it("lets the first file decide where two speak of the same", () => {
    const first = parseKubeConfig("contexts: [{name: a, context: {cluster: one}}]", "/first");
    const second = parseKubeConfig(
      "current-context: b\ncontexts: [{name: a, context: {cluster: two}}, {name: b, context: {cluster: three}}]",
      "/second",
    );

    const merged = mergeKubeConfigs([first, second]);

    assert.deepEqual(merged, {
      ...emptyKubeConfig,
      currentContext: "b",
      contexts: new Map([
        ["a", { cluster: "one" }],
        ["b", { cluster: "three" }],
      ]),
    });
  });
});

describe("currentNamespace", () => {
  const config = parseKubeConfig(text, "/k");

  it("is that of the current context, or of the one named", () => {
    assert.equal(currentNamespace(config), "team");
    assert.equal(currentNamespace(config, "dev"), "team");
  });

  it("is undefined where the context sets none or does not exist", () => {
    assert.equal(currentNamespace(config, "bare"), undefined);
    assert.equal(currentNamespace(config, "other"), undefined);
    assert.equal(currentNamespace(emptyKubeConfig), undefined);
  });
});
