import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { image } from "../../../support/webhook-samples.ts";
import { endpointOf, judged } from "../../../support/webhooks.ts";

describe("Quay", () => {
  it("may name tags by the images they stand for, or none", async () => {
    const endpoint = endpointOf("Quay");
    const body = (tags: object): string => JSON.stringify({ docker_url: "quay.io/a/b", ...tags });

    assert.deepEqual(
      await judged(endpoint, { body: body({ updated_tags: { latest: "b750fe79", "1.0": "0" } }) }),
      [image("quay.io", "a/b", "latest", "1.0")],
    );
    assert.deepEqual(await judged(endpoint, { body: body({}) }), [image("quay.io", "a/b")]);
    assert.equal(await judged(endpoint, { body: body({ updated_tags: "latest" }) }), "malformed");
    assert.equal(await judged(endpoint, { body: body({ updated_tags: [1] }) }), "malformed");
  });
});
