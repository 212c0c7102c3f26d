import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { TargetMemory } from "../../../src/plan/target-memory.ts";
import { thing } from "../../support/engine-objects.ts";

const target = thing("v1 ConfigMap", "demo/a");

function live(resourceVersion: string, more: Partial<KubeObject> = {}): KubeObject {
  return { ...thing("v1 ConfigMap", "demo/a", { uid: "1", resourceVersion }), ...more };
}

/** A memory over a comparison that finds `inSync`, and how often it was asked. */
function memoryOf(inSync: boolean) {
  const asked: KubeObject[] = [];
  const memory = new TargetMemory((_target, found) => {
    asked.push(found);
    return inSync;
  });
  return { memory, asked };
}

describe("TargetMemory", () => {
  it("compares once while both stay the same", () => {
    const { memory, asked } = memoryOf(true);
    const first = live("1");

    assert.equal(memory.compare(target, { kind: "present", object: first }, "client-side"), "unchanged");
    assert.equal(memory.compare(target, { kind: "present", object: first }, "client-side"), "unchanged");
    assert.equal(asked.length, 1);
    memory.compare({ ...target }, { kind: "present", object: first }, "client-side");
    assert.equal(asked.length, 2);
  });

  it("does not compare again if only the status changes", () => {
    const { memory, asked } = memoryOf(true);
    memory.isInSync(target, live("1", { spec: { size: 1 }, status: { ready: 0 } }));

    assert.equal(memory.isInSync(target, live("2", { spec: { size: 1 }, status: { ready: 1 } })), true);
    assert.equal(asked.length, 1);
    memory.isInSync(target, live("3", { spec: { size: 2 }, status: { ready: 1 } }));
    assert.equal(asked.length, 2);
  });

  it("patches or replaces objects that differ", () => {
    const { memory } = memoryOf(false);

    assert.equal(memory.compare(target, { kind: "present", object: live("1") }, "client-side"), "patch");
    assert.equal(memory.compare(target, { kind: "present", object: live("1") }, "replace"), "patch");
  });

  it("does not compare objects that only the server can compare", () => {
    const { memory, asked } = memoryOf(true);

    assert.equal(memory.compare(target, { kind: "present", object: live("1") }, "server-side"), "patch");
    assert.equal(memory.compare(target, { kind: "unread", object: live("1") }, "client-side"), "apply");
    assert.equal(memory.compare(target, { kind: "unread" }, "client-side"), "apply");
    assert.deepEqual(asked, []);
  });

  it("trusts the server if a seemingly needed patch changes nothing", () => {
    const { memory } = memoryOf(false);
    const object = live("1", { spec: {} });
    assert.equal(memory.compare(target, { kind: "present", object }, "client-side"), "patch");

    memory.verified(target, object);

    assert.equal(memory.compare(target, { kind: "present", object }, "client-side"), "unchanged");
    const later = live("2", { spec: {}, status: { ready: 1 } });
    assert.equal(memory.compare(target, { kind: "present", object: later }, "client-side"), "unchanged");
  });

  it("takes the server's word until more than the status changes", () => {
    const { memory } = memoryOf(false);
    memory.verified(target, live("1", { spec: { size: 1 }, status: { ready: 0 } }));
    const stateOf = (object: KubeObject) => memory.compare(target, { kind: "unread", object }, "client-side");

    assert.equal(stateOf(live("2", { spec: { size: 1 }, status: { ready: 1 } })), "unchanged");
    assert.equal(stateOf(live("3", { spec: { size: 2 } })), "apply");
    assert.equal(
      stateOf({
        ...live("4", { spec: { size: 1 } }),
        metadata: { ...live("4").metadata, labels: { a: "b" } },
      }),
      "apply",
    );
  });
});
