import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { keyOf } from "@weir/kube";
import { FakeClock } from "@weir/testing";
import { type Drift, DriftMemory, type SyncedTarget } from "../../../src/drift/drift-memory.ts";
import { DriftWatch } from "../../../src/drift/drift-watch.ts";
import { thing } from "../../support/engine-objects.ts";

function synced(name: string): SyncedTarget {
  const target = thing("v1 ConfigMap", `demo/${name}`);
  return { key: keyOf(target), target, method: "client-side", leave: () => undefined };
}

const a = synced("a");
const b = synced("b");

describe("DriftWatch", () => {
  let clock: FakeClock;
  let memory: DriftMemory;
  let watch: DriftWatch;
  /** How objects are, by name; those not listed are in step. */
  let states: Map<string, "changed" | "missing">;
  let told: string[];

  beforeEach(() => {
    clock = new FakeClock();
    states = new Map();
    told = [];
    memory = new DriftMemory();
    watch = new DriftWatch({ clock, memory, delayMs: 100, look: ({ key }) => states.get(key.name) });
    watch.subscribe(({ unit, objects }: Drift) =>
      told.push(`${unit}: ${objects.map(({ key, what }) => `${key.name} ${what}`).join(", ")}`),
    );
    memory.ended("shop", [a, b], true);
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
    memory.began("shop");
    watch.note(a.key);
    watch.note(b.key);
    await clock.advance(1_000);
    assert.deepEqual(told, []);

    states.delete("a");
    memory.ended("shop", [a, b], true);
    await clock.advance(100);

    assert.deepEqual(told, ["shop: b changed"]);
  });

  it("forgets targets that were not in the last sync, unless it was aborted", async () => {
    states.set("a", "changed").set("b", "changed");
    memory.ended("shop", [a], false);
    watch.note(b.key);
    await clock.advance(100);
    assert.deepEqual(told, ["shop: b changed"]);

    memory.ended("shop", [a], true);
    watch.note(b.key);
    await clock.advance(100);

    assert.deepEqual(told, ["shop: b changed"]);
  });

  it("keeps units apart", async () => {
    memory.ended("bar", [b], true);
    states.set("b", "missing");
    memory.began("bar");
    watch.note(b.key);

    await clock.advance(100);

    assert.deepEqual(told, ["shop: b missing"]);
  });

  it("is carried on by another watch, which also notices what changed in between", async () => {
    watch.stop();
    states.set("a", "missing");
    const next = new DriftWatch({ clock, memory, delayMs: 100, look: ({ key }) => states.get(key.name) });
    next.subscribe(({ objects }) => told.push(...objects.map(({ key, what }) => `${key.name} ${what}`)));
    next.noteAll();

    await clock.advance(100);

    assert.deepEqual(told, ["a missing"]);
  });

  it("waits for the end of a sync that another engine runs", async () => {
    const next = new DriftWatch({ clock, memory, delayMs: 100, look: ({ key }) => states.get(key.name) });
    next.subscribe(({ objects }) => told.push(...objects.map(({ key, what }) => `${key.name} ${what}`)));
    states.set("a", "changed").set("b", "changed");
    memory.began("shop");
    next.note(a.key);
    next.note(b.key);
    await clock.advance(1_000);
    assert.deepEqual(told, []);

    states.delete("a");
    memory.ended("shop", [a, b], true);
    await clock.advance(100);

    assert.deepEqual(told, ["b changed"]);
  });

  it("forgets a unit", async () => {
    states.set("a", "changed");
    memory.forget("shop");
    watch.note(a.key);

    await clock.advance(100);

    assert.deepEqual(told, []);
  });

  it("reports nothing after it was stopped", async () => {
    states.set("a", "changed");
    watch.note(a.key);
    watch.stop();

    await clock.advance(1_000);

    assert.deepEqual(told, []);
  });
});
