import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SecretValues } from "../../../../src/manifests/generate/secret-values.ts";
import { configMap } from "../../../support/manifests.ts";
import { parsedFile } from "../../../support/parsed-manifests.ts";

describe("SecretValues", () => {
  it("hides what a Secret holds, plain and in base64, and nothing of other kinds", () => {
    const values = new SecretValues();
    values.learn(parsedFile(secret("hunter2-hunter2")));
    values.learn(parsedFile(configMap("open", "open-for-all"), "other.yaml"));

    const encoded = Buffer.from("hunter2-hunter2").toString("base64");
    assert.equal(
      values.hideIn(`got hunter2-hunter2 and ${encoded}, but open-for-all`),
      "got <hidden> and <hidden>, but open-for-all",
    );
  });

  it("still knows the Secrets of a file that cannot be read any more, and no values from before the last", () => {
    const values = new SecretValues();
    values.learn(parsedFile(secret("the-first-value")));
    values.learn(parsedFile(secret("another-secret")));
    values.learn(parsedFile("kind: ["));

    assert.equal(values.hideIn("the-first-value another-secret"), "the-first-value <hidden>");
  });

  it("hides what files hold that are looked at only for this text", () => {
    const values = new SecretValues();

    assert.equal(values.hideIn("hunter2-hunter2", [parsedFile(secret("hunter2-hunter2"))]), "<hidden>");
    assert.equal(values.hideIn("hunter2-hunter2"), "hunter2-hunter2");
  });
});

function secret(value: string): string {
  return `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {key: ${Buffer.from(value).toString("base64")}}\n`;
}
