import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { keyOf } from "@weir/kube";
import { FakeClock } from "@weir/testing";
import { type Drift, DriftWatch, type SyncedTarget } from "../../src/drift.ts";
import { thing } from "../support/engine-objects.ts";

function synced(name: string): SyncedTarget {
  const target = thing("v1 ConfigMap", `demo/${name}`);
  return { key: keyOf(target), target, method: "client-side", leave: undefined };
}

const a = synced("a");
const b = synced("b");

describe("DriftWatch", () => {
  let clock: FakeClock;
  let watch: DriftWatch;
  /** How objects are, by name; those not listed are in step. */
  let states: Map<string, "changed" | "missing">;
  let told: string[];

  beforeEach(() => {
    clock = new FakeClock();
    states = new Map();
    told = [];
    watch = new DriftWatch({ clock, delayMs: 100, look: ({ key }) => states.get(key.name) });
    watch.subscribe(({ unit, objects }: Drift) =>
      told.push(`${unit}: ${objects.map(({ key, what }) => `${key.name} ${what}`).join(", ")}`),
    );
    watch.ended("shop", [a, b], true);
  });

  it("collects changes for a moment, and reports all drift together", async () => {
    states.set("a", "changed").set("b", "missing");
    watch.note(a.key);
    await clock.advance(60);
    watch.note(b.key);
    watch.note(a.key);
    assert.deepEqual(told, []);

    await clock.advance(40);

    assert.deepEqual(told, ["shop: a changed, b missing"]);
  });

  it("judges an object by its state at the time of the check", async () => {
    states.set("a", "changed");
    watch.note(a.key);
    states.delete("a");

    await clock.advance(100);

    assert.deepEqual(told, []);
  });

  it("does not mind objects that were not synced", async () => {
    states.set("c", "changed");
    watch.note(keyOf(thing("v1 ConfigMap", "demo/c")));

    await clock.advance(1_000);

    assert.deepEqual(told, []);
  });

  it("reports nothing while a sync of the unit runs, and the remaining drift afterwards", async () => {
    states.set("a", "changed").set("b", "changed");
    watch.began("shop");
    watch.note(a.key);
    watch.note(b.key);
    await clock.advance(1_000);
    assert.deepEqual(told, []);

    states.delete("a");
    watch.ended("shop", [a, b], true);
    await clock.advance(100);

    assert.deepEqual(told, ["shop: b changed"]);
  });

  it("forgets targets that were not in the last sync, unless it was aborted", async () => {
    states.set("a", "changed").set("b", "changed");
    watch.ended("shop", [a], false);
    watch.note(b.key);
    await clock.advance(100);
    assert.deepEqual(told, ["shop: b changed"]);

    watch.ended("shop", [a], true);
    watch.note(b.key);
    await clock.advance(100);

    assert.deepEqual(told, ["shop: b changed"]);
  });

  it("keeps units apart", async () => {
    watch.ended("bar", [b], true);
    states.set("b", "missing");
    watch.began("bar");
    watch.note(b.key);

    await clock.advance(100);

    assert.deepEqual(told, ["shop: b missing"]);
  });

  it("reports nothing after it was stopped", async () => {
    states.set("a", "changed");
    watch.note(a.key);
    watch.stop();

    await clock.advance(1_000);

    assert.deepEqual(told, []);
  });
});
