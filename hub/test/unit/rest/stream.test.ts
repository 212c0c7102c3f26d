import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Actor, Grant } from "../../../src/access/actor.ts";
import { type LiveChange, shownTo } from "../../../src/rest/stream.ts";

function actorWith(...grants: readonly Pick<Grant, "instanceId" | "namespace">[]): Actor {
  const roles = grants.map((grant) => ({ ...grant, role: "viewer" as const }));
  return { kind: "user", userId: "u", credentialId: "c", name: "vera", grants: roles };
}

const ofShop = actorWith({ instanceId: "prod", namespace: "shop" });
const ofProd = actorWith({ instanceId: "prod", namespace: null });
const ofTest = actorWith({ instanceId: "test", namespace: null });

function eventOf(namespaces: string[]): LiveChange {
  const instance = { id: "prod", name: "Production" };
  const at = "2026-03-04T05:06:07.000Z";
  return {
    type: "event",
    event: {
      ...{ id: 1, instance, type: "sync", severity: "info", at, message: "Sync", revision: "" },
      ...{ namespaces, metadata: {} },
      workloads: namespaces.map((namespace) => `${namespace}:deployment/web`),
    },
  };
}

function jobOf(namespaces: readonly string[]): LiveChange {
  return { type: "job", job: { type: "job", instanceId: "prod", jobId: "j", state: "queued" }, namespaces };
}

const instance = { type: "instance", instanceId: "prod" } as const;
const workloads = { type: "workloads", instanceId: "prod" } as const;

describe("a stream", () => {
  it("shows those who see the whole instance everything, and others nothing", () => {
    const all: readonly LiveChange[] = [
      eventOf([]),
      eventOf(["ops"]),
      jobOf([]),
      instance,
      { ...workloads, ids: ["ops:deployment/web"] },
    ];

    assert.deepEqual(
      all.map((change) => shownTo(ofProd, change)),
      all.map((change) => (change.type === "job" ? change.job : change)),
    );
    assert.deepEqual(
      all.map((change) => shownTo(ofTest, change)),
      all.map(() => undefined),
    );
  });

  it("hides events of other namespaces, and of the instance as a whole, as lists do", () => {
    assert.equal(shownTo(ofShop, eventOf([])), undefined);
    assert.equal(shownTo(ofShop, eventOf(["ops"])), undefined);
    assert.deepEqual(shownTo(ofShop, eventOf(["shop"])), eventOf(["shop"]));
    const shared = shownTo(ofShop, eventOf(["ops", "shop"]));
    assert.ok(shared?.type === "event" && !JSON.stringify(shared).includes("ops"));
  });

  it("names only workloads that one may see", () => {
    const change = { ...workloads, ids: ["ops:deployment/web", "shop:deployment/web"] };

    assert.deepEqual(shownTo(ofShop, change), { ...workloads, ids: ["shop:deployment/web"] });
    assert.equal(shownTo(ofShop, { ...workloads, ids: ["ops:deployment/web"] }), undefined);
    assert.deepEqual(shownTo(ofShop, { ...workloads, ids: [] }), { ...workloads, ids: [] });
  });

  it("hides jobs that reach further than one may see", () => {
    assert.equal(shownTo(ofShop, jobOf([])), undefined);
    assert.equal(shownTo(ofShop, jobOf(["ops", "shop"])), undefined);
    assert.equal(shownTo(ofShop, jobOf(["shop"]))?.type, "job");
  });
});
