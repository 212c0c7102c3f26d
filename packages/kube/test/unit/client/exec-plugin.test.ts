import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseCredential, parseExecPlugin } from "../../../src/client/exec-plugin.ts";

const apiVersion = "client.authentication.k8s.io/v1";
const plugin = parseExecPlugin(
  {
    apiVersion,
    command: "login",
    args: ["--quiet"],
    env: [{ name: "REGION", value: "eu" }],
    installHint: "install it",
    provideClusterInfo: true,
  },
  "me",
);

function answer(status: object): string {
  return JSON.stringify({ apiVersion, kind: "ExecCredential", status });
}

describe("parseCredential", () => {
  it("reads a client certificate with its key", () => {
    const credential = parseCredential(answer({ clientCertificateData: "c", clientKeyData: "k" }), plugin);

    assert.deepEqual(credential, { cert: "c", key: "k" });
  });

  it("refuses an answer without a credential", () => {
    assert.throws(() => parseCredential(answer({ clientCertificateData: "c" }), plugin), {
      name: "KubeConfigError",
      message: "exec plugin login printed neither a token nor a client certificate with its key",
    });
  });

  for (const output of [
    "",
    "s3cret",
    "[]",
    JSON.stringify({ kind: "ExecCredential", apiVersion: "v9", status: { token: "s3cret" } }),
  ]) {
    it(`refuses ${JSON.stringify(output)} without quoting it`, () => {
      assert.throws(() => parseCredential(output, plugin), {
        name: "KubeConfigError",
        message: `exec plugin login did not print an ExecCredential of version ${apiVersion}; run it by hand to see what it prints`,
      });
    });
  }
});
