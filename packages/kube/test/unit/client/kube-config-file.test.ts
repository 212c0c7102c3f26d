import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  currentNamespace,
  emptyKubeConfig,
  KubeConfigError,
  mergeKubeConfigs,
  parseKubeConfig,
} from "../../../src/client/kube-config-file.ts";

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
        error.file === "/home/me/.kube/config" &&
        /^kubeconfig \/home\/me\/.kube\/config is not valid YAML at line \d+/.test(error.message) &&
        !error.message.includes("s3cret") &&
        error.cause === undefined,
    );
  });

  it("refuses what is no mapping", () => {
    assert.throws(() => parseKubeConfig("- a", "/k"), {
      name: "KubeConfigError",
      message: "kubeconfig /k is not a mapping",
      file: "/k",
    });
  });
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
