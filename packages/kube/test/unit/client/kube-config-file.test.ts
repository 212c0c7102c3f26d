import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { KubeConfigError } from "../../../src/client/kube-config-file.ts";
import { parseKubeConfig } from "../../../src/client/parse-kube-config.ts";

describe("parseKubeConfig", () => {
  it("leaves a plugin that is looked up in PATH as it is", () => {
    const config = parseKubeConfig("users: [{name: me, user: {exec: {command: aws}}}]", "/k");

    assert.deepEqual(config.users.get("me"), { exec: { command: "aws" } });
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
