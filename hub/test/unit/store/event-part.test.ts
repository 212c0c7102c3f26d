import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { partOfEvent, sightOf } from "../../../src/store/event-part.ts";

const sync = {
  id: 1,
  type: "sync",
  revision: "1234567890abcdef",
  namespaces: ["ops", "shop"],
  workloads: ["ops:secret/passwords", "shop:deployment/cart"],
  message: "Sync: 1234567, ops:secret/passwords, shop:deployment/cart",
  metadata: {
    revision: "1234567890abcdef",
    commits: [{ revision: "1234567890abcdef", message: "Rotate the passwords of ops" }],
    includes: { other: true },
    errors: [
      { ID: "ops:secret/passwords", Path: "ops/passwords.yaml", Error: "refused" },
      { ID: "shop:deployment/cart", Path: "shop/cart.yaml", Error: "no such field" },
    ],
    unknown: "about ops",
  },
};

const ofShop = sightOf([{ instanceId: "prod", namespace: "shop" }], "prod");

describe("the part of an event that somebody may see", () => {
  it("is all of it for those who see the instance", () => {
    for (const scope of [
      "everything",
      [{ instanceId: null, namespace: null }],
      [{ instanceId: "prod", namespace: null }],
    ] as const) {
      assert.equal(partOfEvent(sync, sightOf(scope, "prod")), sync);
    }
  });

  it("names nothing of other namespaces", () => {
    assert.deepEqual(partOfEvent(sync, ofShop), {
      ...sync,
      namespaces: ["shop"],
      workloads: ["shop:deployment/cart"],
      message: "Sync: 1234567, shop:deployment/cart, and what you may not see",
      metadata: {
        revision: "1234567890abcdef",
        includes: { other: true },
        commits: [{ revision: "1234567890abcdef", message: "" }],
        errors: [{ ID: "shop:deployment/cart", Path: "shop/cart.yaml", Error: "no such field" }],
      },
    });
  });

  it("has no errors of others, even if the event is about nothing else", () => {
    const event = { ...sync, namespaces: ["shop"], workloads: ["shop:deployment/cart"], message: "Sync" };

    const part = partOfEvent(event, ofShop);

    assert.deepEqual(part, {
      ...event,
      metadata: { ...sync.metadata, errors: [sync.metadata.errors[1]] },
    });
  });

  it("has no results of others, and no request that names them", () => {
    const release = {
      ...sync,
      type: "release",
      metadata: {
        revision: "1",
        spec: { imageSpec: "quay.io/ops/vault:2", cause: { Message: "for ops" } },
        result: {
          "ops:deployment/vault": { Status: "success" },
          "shop:deployment/cart": { Status: "success" },
        },
        error: "ops refused",
      },
    };

    assert.deepEqual(partOfEvent(release, ofShop)?.metadata, {
      revision: "1",
      result: { "shop:deployment/cart": { Status: "success" } },
    });
  });

  it("is nothing if it's about others, or about the instance as a whole", () => {
    const elsewhere = sightOf([{ instanceId: "test", namespace: "shop" }], "prod");

    assert.equal(partOfEvent(sync, elsewhere), undefined);
    assert.equal(partOfEvent({ ...sync, namespaces: [] }, ofShop), undefined);
  });
});
