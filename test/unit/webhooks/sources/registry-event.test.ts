import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { image } from "../../../support/webhook-samples.ts";
import { endpointOf, judged, sampleKey } from "../../../support/webhooks.ts";

const headers = { Authorization: `Bearer ${sampleKey.toString()}` };
const push = { action: "push", target: { repository: "a/b", tag: "1" }, request: { host: "r.example.com" } };

describe("an event of a registry", () => {
  it("is about the host that was pushed to, or the one that workloads know it by", async () => {
    const own = { registryHost: "registry.example.com:5000" };
    const events = JSON.stringify({ events: [push] });

    assert.deepEqual(await judged(endpointOf("Distribution"), { body: events, headers }), [
      image("r.example.com", "a/b", "1"),
    ]);
    assert.deepEqual(await judged(endpointOf("Distribution", own), { body: events, headers }), [
      image("registry.example.com:5000", "a/b", "1"),
    ]);
    assert.deepEqual(
      await judged(endpointOf("AzureContainerRegistry", own), { body: JSON.stringify(push), headers }),
      [image("registry.example.com:5000", "a/b", "1")],
    );
  });

  it("says nothing of ours where it is a pull, a deletion, a layer or a ping", async () => {
    for (const event of [
      { ...push, action: "pull" },
      { ...push, action: "delete" },
      { ...push, target: { repository: "a/b" } },
      { action: "ping" },
      {},
    ]) {
      assert.deepEqual(
        await judged(endpointOf("Distribution"), { body: JSON.stringify({ events: [event] }), headers }),
        [],
      );
      assert.deepEqual(
        await judged(endpointOf("AzureContainerRegistry"), { body: JSON.stringify(event), headers }),
        [],
      );
    }
  });

  it("bears the key", async () => {
    for (const name of ["Distribution", "AzureContainerRegistry"]) {
      assert.equal(await judged(endpointOf(name), { body: JSON.stringify(push) }), "unauthorized");
    }
  });
});
