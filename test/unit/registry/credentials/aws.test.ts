import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isInEcrScope, parseEcrHost } from "../../../../src/registry/credentials/aws/ecr-hosts.ts";

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
