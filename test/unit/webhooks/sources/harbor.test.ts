import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { image } from "../../../support/webhook-samples.ts";
import { endpointOf, judged, sampleKey } from "../../../support/webhooks.ts";

const endpoint = endpointOf("Harbor");
const key = sampleKey.toString();
const resources = ["hub.example.com/a/b:1", "hub.example.com/a/b:2", "hub.example.com/a/b@sha256:0123"].map(
  (resource_url) => ({ resource_url }),
);
const pushed = [image("hub.example.com", "a/b", "1", "2")];

function told(payload: object, authorization = key): Promise<unknown> {
  return judged(endpoint, { body: JSON.stringify(payload), headers: { Authorization: authorization } });
}

describe("Harbor", () => {
  it("tells of images as version 1, as version 2, and as CloudEvents", async () => {
    assert.deepEqual(await told({ type: "pushImage", event_data: { resources } }), pushed);
    assert.deepEqual(await told({ type: "PUSH_ARTIFACT", event_data: { resources } }), pushed);
    assert.deepEqual(await told({ type: "harbor.artifact.pushed", data: { resources } }), pushed);
  });

  it("says nothing of ours with another event, or of no image", async () => {
    assert.deepEqual(await told({ type: "PULL_ARTIFACT", event_data: { resources } }), []);
    assert.deepEqual(await told({ type: "PUSH_ARTIFACT", event_data: { resources: [] } }), []);
    assert.deepEqual(await told({ type: "PUSH_ARTIFACT" }), []);
  });

  for (const wrong of ["", "Bearer", "Bearer ", "Bearer x", `Basic ${key}`, `${key} `, `Bearer ${key}x`]) {
    it(`is refused with ${JSON.stringify(wrong)}`, async () => {
      assert.equal(await told({ type: "pushImage", event_data: { resources } }, wrong), "unauthorized");
    });
  }
});
