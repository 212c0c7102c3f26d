import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { StoreEvent } from "../../../src/storage/bucket.ts";
import { ObjectStore } from "../../../src/storage/object-store.ts";
import { treeOf } from "../../../src/storage/stored-object.ts";
import type { Tree } from "../../../src/tree.ts";

const steps = fc.array(
  fc.record({
    name: fc.constantFrom("a", "b", "c"),
    namespace: fc.constantFrom("x", "y"),
    gone: fc.boolean(),
  }),
  { maxLength: 30 },
);
type Step = { readonly name: string; readonly namespace: string; readonly gone: boolean };

describe("ObjectStore", () => {
  it("gives every write a revision of its own, in order", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const { store, events } = replay(list, 1000);

        const revisions = events.map(({ revision }) => revision);
        assert.deepEqual(
          revisions,
          revisions.toSorted((a, b) => a - b),
        );
        assert.equal(new Set(revisions).size, revisions.length);
        assert.equal(store.revision, revisions.at(-1) ?? 1);
      }),
    );
  });

  it("lists any state that it remembers, in the order of names", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const { store, states } = replay(list, 1000);

        for (const [revision, names] of states) {
          const past = store.bucket("things").listAt("", revision);
          assert.deepEqual(
            past.map(({ namespace, name }) => `${namespace}/${name}`),
            names,
          );
        }
      }),
    );
  });

  it("tells, from any revision that it remembers, all that happened since", () => {
    fc.assert(
      fc.property(steps, fc.nat(10), (list, limit) => {
        const { store, events } = replay(list, limit);
        const bucket = store.bucket("things");

        const told: StoreEvent[] = [];
        for (
          let next = bucket.nextAfter(bucket.oldest);
          next !== undefined;
          next = bucket.nextAfter(next.revision)
        ) {
          told.push(next);
        }

        assert.deepEqual(told, events.slice(-limit || events.length));
      }),
    );
  });

  it("says from where on it remembers", () => {
    const store = new ObjectStore({ historyLimit: 2, journal: undefined });

    const revisions = ["a", "b", "c"].map(
      (name) => store.put("things", thing("x", name), undefined).revision,
    );

    assert.equal(store.bucket("things").oldest, revisions[0]);
    assert.equal(store.bucket("others").oldest, 1);
  });

  it("gives out what was put in", () => {
    const store = new ObjectStore({ historyLimit: 2, journal: undefined });

    const stored = store.put("things", thing("x", "é"), undefined);

    assert.deepEqual(treeOf(stored), {
      apiVersion: "v1",
      kind: "Thing",
      metadata: { namespace: "x", name: "é", resourceVersion: "2" },
    });
    assert.equal(store.get("things", "x", "é"), stored);
  });

  it("changes nothing where the journal cannot be written", () => {
    const journal = {
      load: () => ({ objects: [], revision: 7 }),
      put: () => {
        throw new Error("disk full");
      },
      remove: () => {},
      close: () => {},
    };
    const store = new ObjectStore({ historyLimit: 2, journal });

    assert.throws(() => store.put("things", thing("x", "a"), undefined), { message: "disk full" });

    assert.equal(store.revision, 7);
    assert.equal(store.get("things", "x", "a"), undefined);
  });
});

/** Puts and removes things; tells what happened, and which there were at each revision. */
function replay(list: readonly Step[], historyLimit: number) {
  const store = new ObjectStore({ historyLimit, journal: undefined });
  const events: StoreEvent[] = [];
  const states = new Map<number, readonly string[]>();
  store.onEvent((event) => {
    events.push(event);
    const names = store
      .bucket("things")
      .list("")
      .map((one) => `${one.namespace}/${one.name}`);
    states.set(event.revision, names);
  });
  for (const { name, namespace, gone } of list) {
    const found = store.get("things", namespace, name);
    if (!gone) {
      store.put("things", thing(namespace, name), found);
    } else if (found !== undefined) {
      store.remove(found);
    }
  }
  return { store, events, states };
}

function thing(namespace: string, name: string): Tree {
  return { apiVersion: "v1", kind: "Thing", metadata: { namespace, name } };
}
