import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiResource } from "@weir/kube";
import { FakeClock, kubeObject, ScriptedClient } from "@weir/testing";
import { followObject } from "../../../src/operations/follow.ts";

const resource: ApiResource = {
  group: "",
  version: "v1",
  kind: "Pod",
  resource: "pods",
  namespaced: true,
  verbs: ["get", "watch"],
};

function pod(phase: string) {
  return kubeObject`
    apiVersion: v1
    kind: Pod
    metadata: { name: hook, namespace: ns, uid: a, resourceVersion: "1" }
    status: { phase: ${phase} }
  `;
}

describe("following an object", () => {
  it("reads it again if its watch says nothing for longer than it may last", async () => {
    const clock = new FakeClock();
    const client = new ScriptedClient({ lists: [() => pod("Running"), () => pod("Succeeded")] });
    const cache = { observe: () => undefined, observeDeleted: () => undefined };
    const schemas = { schemaFor: () => Promise.resolve(undefined) };
    const context = { client, cache, schemas, clock };
    const sightings = followObject(context, resource, pod("Running"), AbortSignal.any([]));
    await sightings.next();

    const next = sightings.next();
    await clock.sleeping((ms) => ms > 60_000);
    await clock.advance(90_000);

    assert.deepEqual((await next).value, { kind: "seen", object: pod("Succeeded") });
    await sightings.return();
  });
});
