import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { signedHeaders } from "../../../src/aws/signature.ts";

describe("a signature for AWS", () => {
  it("is what AWS's own test suite expects (post-vanilla)", () => {
    const request = {
      url: new URL("https://example.amazonaws.com/"),
      headers: {},
      body: "",
      region: "us-east-1",
      service: "service",
    };
    const keys = {
      accessKeyId: "AKIDEXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
      sessionToken: "",
    };

    const { authorization } = signedHeaders(request, keys, Date.parse("2015-08-30T12:36:00Z"));

    assert.equal(
      authorization,
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
    );
  });
});
