import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isInEcrScope, parseEcrHost } from "../../../../src/registry/credentials/aws/ecr-hosts.ts";
import { signedHeaders } from "../../../../src/registry/credentials/aws/signature.ts";

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

describe("a registry of Amazon", () => {
  it("is told by its host", () => {
    assert.deepEqual(parseEcrHost("123.dkr.ecr.eu-west-1.amazonaws.com"), {
      account: "123",
      region: "eu-west-1",
    });
    assert.deepEqual(parseEcrHost("123.dkr.ecr.cn-north-1.amazonaws.com.cn"), {
      account: "123",
      region: "cn-north-1",
    });
    for (const domain of ["s3.amazonaws.com", "123.dkr.ecr.eu-west-1.example.com", "quay.io", ""]) {
      assert.equal(parseEcrHost(domain), undefined, domain);
    }
  });

  it("is scanned in the regions and for the accounts that are wanted", () => {
    const host = { account: "123", region: "eu-west-1" };
    const regions = ["eu-west-1"];

    assert.equal(isInEcrScope(host, { regions, include: [], exclude: [] }), true);
    assert.equal(isInEcrScope(host, { regions: [], include: [], exclude: [] }), false);
    assert.equal(isInEcrScope(host, { regions, include: ["456"], exclude: [] }), false);
    assert.equal(isInEcrScope(host, { regions, include: ["123"], exclude: ["123"] }), false);
  });
});
