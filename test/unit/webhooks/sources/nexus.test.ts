import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { image } from "../../../support/webhook-samples.ts";
import { endpointOf, hmac, judged } from "../../../support/webhooks.ts";

function told(
  change: object,
  registryHost = "images.example.com/",
  id = "rm:repository:component",
): Promise<unknown> {
  const component = { format: "docker", name: "app1/alpine", version: "3.4" };
  const body = JSON.stringify({ action: "CREATED", component, ...change });
  return judged(endpointOf("Nexus", { registryHost }), {
    body,
    headers: {
      "X-Nexus-Webhook-Id": id,
      "X-Nexus-Webhook-Signature": hmac("sha1", body),
    },
  });
}

describe("Nexus", () => {
  it("tells of images at the host of the configuration", async () => {
    assert.deepEqual(await told({}), [image("images.example.com", "app1/alpine", "3.4")]);
    assert.deepEqual(await told({}, ""), [image("", "app1/alpine", "3.4")]);
  });

  it("says nothing of ours with other components, actions and events", async () => {
    assert.deepEqual(await told({ component: { format: "maven2", name: "x" } }), []);
    assert.deepEqual(await told({ action: "DELETED" }), []);
    assert.deepEqual(await told({}, "", "rm:repository:asset"), []);
  });

  it("signs with SHA-1 and its key, in the body that it sends", async () => {
    const headers = { "X-Nexus-Webhook-Id": "rm:repository:component" };
    for (const signature of ["", "BOGUS", hmac("sha256", "{}"), hmac("sha1", "{ }")]) {
      assert.equal(
        await judged(endpointOf("Nexus"), {
          body: "{}",
          headers: { ...headers, "X-Nexus-Webhook-Signature": signature },
        }),
        "unauthorized",
      );
    }
  });
});
