import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { image } from "../../../support/webhook-samples.ts";
import { endpointOf, judged, sampleKey } from "../../../support/webhooks.ts";

const key = sampleKey.toString();
const detail = { result: "SUCCESS", "repository-name": "a/b", "action-type": "PUSH", "image-tag": "1" };
const event = { source: "aws.ecr", account: "123456789012", region: "eu-west-1", detail };

function told(
  change: object,
  headers: Readonly<Record<string, string>> = { "X-Api-Key": key },
): Promise<unknown> {
  return judged(endpointOf("AmazonECR"), { body: JSON.stringify({ ...event, ...change }), headers });
}

describe("Amazon ECR", () => {
  it("bears the key in one header or the other", async () => {
    const pushed = [image("123456789012.dkr.ecr.eu-west-1.amazonaws.com", "a/b", "1")];

    assert.deepEqual(await told({}), pushed);
    assert.deepEqual(await told({}, { Authorization: `Bearer ${key}` }), pushed);
    assert.equal(await told({}, {}), "unauthorized");
    assert.equal(await told({}, { "X-Api-Key": "x", Authorization: key }), "unauthorized");
  });

  it("is elsewhere in China", async () => {
    assert.deepEqual(await told({ region: "cn-north-1" }), [
      image("123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn", "a/b", "1"),
    ]);
  });

  it("says nothing of ours where nothing was pushed under a tag", async () => {
    for (const change of [
      { source: "aws.s3" },
      { detail: { ...detail, result: "FAILURE" } },
      { detail: { ...detail, "action-type": "DELETE" } },
      { detail: { ...detail, "image-tag": "" } },
    ]) {
      assert.deepEqual(await told(change), []);
    }
  });

  it("says whose registry it is", async () => {
    for (const change of [{ account: "1" }, { region: "" }, { region: "x.example.com/y" }]) {
      assert.equal(await told(change), "malformed");
    }
  });
});
