import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import fc from "fast-check";
import type { ResourceEvent } from "../../../src/cache/resource-cache.ts";
import { StoredKind } from "../../support/stored-kind.ts";

function object(
  name: string,
  resourceVersion: string,
  more: { uid?: string; deletionTimestamp?: string } = {},
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "ns", name, uid: `uid-${name}`, resourceVersion, ...more },
  };
}

/** "name@version" of all that is there. */
function held(store: StoredKind): readonly string[] {
  return [...store.list()]
    .map(({ metadata }) => `${metadata.name ?? ""}@${metadata.resourceVersion ?? ""}`)
    .sort();
}

function print(events: readonly ResourceEvent[]): readonly string[] {
  return events.map(({ key, before, after }) => {
    const [from, to] = [before, after].map((side) => side?.metadata.resourceVersion ?? "-");
    return `${key.name} ${from ?? ""}>${to ?? ""}`;
  });
}

/** A store that has listed these objects. */
function storeWith(...objects: readonly KubeObject[]): StoredKind {
  const store = new StoredKind();
  store.listed(objects, store.listing());
  return store;
}

describe("KindStore", () => {
  it("reports new, changed, and deleted objects of a list, but no unchanged ones", () => {
    const store = storeWith(object("same", "1"), object("changed", "2"), object("gone", "3"));

    const events = store.listed(
      [object("same", "1"), object("changed", "4"), object("new", "5")],
      store.listing(),
    );

    assert.deepEqual(print(events), ["changed 2>4", "new ->5", "gone 3>-"]);
    assert.deepEqual(held(store), ["changed@4", "new@5", "same@1"]);
  });

  it("leaves other namespaces alone when a list covers one", () => {
    const store = storeWith(object("a", "1"));
    const elsewhere = { ...object("b", "2"), metadata: { ...object("b", "2").metadata, namespace: "other" } };

    store.listed([elsewhere], store.listing(), "other");

    assert.deepEqual(held(store), ["a@1", "b@2"]);
    assert.deepEqual(print(store.listed([], store.listing(), "other")), ["b 2>-"]);
  });

  it("follows the watch, even if its version does not look newer", () => {
    const store = storeWith(object("a", "9"));

    assert.deepEqual(print(store.changed(object("a", "3"))), ["a 9>3"]);
    assert.deepEqual(print(store.deleted(object("a", "4"))), ["a 3>-"]);
    assert.deepEqual(print(store.deleted(object("a", "4"))), []);
  });

  it("forgets everything at once", () => {
    const store = storeWith(object("a", "1"), object("b", "2"));

    assert.deepEqual(print(store.clear()), ["a 1>-", "b 2>-"]);
    assert.deepEqual(held(store), []);
  });

  it("replaces an object of the same version without an event: metadata by the whole", () => {
    const stored = new StoredKind();
    const whole = { ...object("a", "1"), data: { key: "value" } };
    stored.store.listed([stored.take(whole, "metadata")], stored.listing());
    assert.equal(stored.get("ns", "a")?.data, undefined);

    assert.deepEqual(stored.listed([whole], stored.listing()), []);
    assert.equal(stored.get("ns", "a"), whole);
  });

  it("keeps the object that it has when a list brings the same version", () => {
    const first = object("a", "1");
    const store = storeWith(first);

    store.listed([object("a", "1")], store.listing());

    assert.equal(store.get("ns", "a"), first);
  });
});

describe("KindStore, after a write of ours", () => {
  it("shows it at once, and does not tell it again when the watch brings it", () => {
    const store = storeWith(object("a", "1"));

    assert.deepEqual(print(store.wrote(object("a", "5"))), ["a 1>5"]);
    assert.deepEqual(print(store.changed(object("a", "5"))), []);
    assert.deepEqual(held(store), ["a@5"]);
  });

  it("is not undone by what happened before it", () => {
    const store = storeWith(object("a", "1"));
    store.wrote(object("a", "5"));

    assert.deepEqual(print(store.changed(object("a", "3"))), []);
    assert.deepEqual(print(store.changed(object("a", "10"))), ["a 5>10"]);
  });

  it("does not undo later watch events when its response arrives late", () => {
    const store = storeWith(object("a", "1"));
    store.changed(object("a", "5"));
    store.changed(object("a", "6"));

    assert.deepEqual(print(store.wrote(object("a", "5"))), []);
    assert.deepEqual(held(store), ["a@6"]);
    assert.deepEqual(print(store.changed(object("a", "7"))), ["a 6>7"]);
  });

  it("treats later arrivals as newer if versions cannot be compared", () => {
    const store = storeWith(object("a", "x1"));
    store.wrote(object("a", "x5"));

    assert.deepEqual(print(store.changed(object("a", "x3"))), ["a x5>x3"]);
    assert.deepEqual(print(store.changed(object("a", "x5"))), ["a x3>x5"]);
  });

  it("is not undone by the deletion of what it replaced", () => {
    const store = storeWith(object("a", "1", { uid: "old" }));
    store.wroteDeletion("ns", "a");
    store.wrote(object("a", "x", { uid: "new" }));

    assert.deepEqual(print(store.deleted(object("a", "y", { uid: "old" }))), []);
    assert.deepEqual(print(store.changed(object("a", "x", { uid: "new" }))), []);
    assert.deepEqual(print(store.deleted(object("a", "z", { uid: "new" }))), ["a x>-"]);
  });

  it("stays if a list that began before it does not contain it", () => {
    const store = storeWith(object("a", "1"));
    const moment = store.listing();
    store.wrote(object("a", "5"));
    store.wrote(object("b", "6"));

    assert.deepEqual(print(store.listed([object("a", "1")], moment)), []);
    assert.deepEqual(held(store), ["a@5", "b@6"]);
  });

  it("is removed if a list that began after it does not contain it", () => {
    const store = storeWith();
    store.wrote(object("a", "5"));

    assert.deepEqual(print(store.listed([], store.listing())), ["a 5>-"]);
  });

  it("yields to a list that began after it, even one that looks older, as after a restored backup", () => {
    const store = storeWith();
    store.wrote(object("a", "500"));

    assert.deepEqual(print(store.listed([object("a", "20")], store.listing())), ["a 500>20"]);
    assert.deepEqual(print(store.changed(object("a", "21"))), ["a 20>21"]);
  });
});

describe("KindStore, with an answer to a write of ours that comes late", () => {
  it("does not restore an object of which the watch has reported the deletion", () => {
    const store = storeWith(object("a", "1"));
    store.changed(object("a", "2"));
    store.deleted(object("a", "3"));

    assert.deepEqual(print(store.wrote(object("a", "2"))), []);
    assert.deepEqual(print(store.wrote(object("a", "4", { uid: "another" }))), ["a ->4"]);
  });

  it("does not restore an object that a later list lacks", () => {
    const store = storeWith(object("a", "1"));
    store.listedAt("7");
    store.listed([], store.listing());

    assert.deepEqual(print(store.wrote(object("a", "2"))), []);
    assert.deepEqual(print(store.wrote(object("a", "8", { uid: "another" }))), ["a ->8"]);
  });

  it("believes it after a restored backup, in which versions begin again", () => {
    const store = storeWith();
    store.listedAt("900");
    store.deleted(object("b", "950"));
    store.listedAt("20");

    assert.deepEqual(print(store.wrote(object("a", "21"))), ["a ->21"]);
  });

  it("does not remove another object of the same name", () => {
    const store = storeWith(object("a", "1", { uid: "first" }));
    store.deleted(object("a", "2", { uid: "first" }));
    store.changed(object("a", "3", { uid: "second" }));

    assert.deepEqual(print(store.wroteDeletion("ns", "a", "first")), []);
    assert.deepEqual(held(store), ["a@3"]);
  });
});

describe("KindStore, after a deletion of ours", () => {
  it("does not restore the object because of earlier watch events", () => {
    const store = storeWith(object("a", "1"));

    assert.deepEqual(print(store.wroteDeletion("ns", "a")), ["a 1>-"]);
    assert.deepEqual(print(store.changed(object("a", "2"))), []);
    assert.deepEqual(print(store.deleted(object("a", "3"))), []);
    assert.deepEqual(held(store), []);
  });

  it("shows an object that is on its way out and still there", () => {
    const store = storeWith(object("a", "1"));
    store.wroteDeletion("ns", "a");

    const events = store.changed(object("a", "2", { deletionTimestamp: "2026-11-21T00:00:00Z" }));

    assert.deepEqual(print(events), ["a ->2"]);
  });

  it("shows another object of the same name", () => {
    const store = storeWith(object("a", "1"));
    store.wroteDeletion("ns", "a");

    assert.deepEqual(print(store.changed(object("a", "4", { uid: "another" }))), ["a ->4"]);
  });

  it("does not bring it back by a list that began before", () => {
    const store = storeWith(object("a", "1"));
    const moment = store.listing();
    store.wroteDeletion("ns", "a");

    assert.deepEqual(print(store.listed([object("a", "1")], moment)), []);
    assert.deepEqual(print(store.listed([object("a", "1")], store.listing())), ["a ->1"]);
  });

  it("does nothing if the object was not known", () => {
    assert.deepEqual(storeWith().wroteDeletion("ns", "a"), []);
  });
});

/**
 * One object through its life on the server: each step is a version, "" where it is deleted. The watch tells the
 * steps in order and some of them late; the answers to those that are ours come in order too, and some of them
 * after what the watch tells.
 */
describe("KindStore, whatever the order in which the watch and our own writes tell of a change", () => {
  const step = fc.record({ ours: fc.boolean(), deletes: fc.boolean(), delay: fc.nat(5), lag: fc.nat(3) });

  it("never shows less than our own writes, and in the end what the server has", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const store = storeWith();
        const pending: (() => void)[] = [];
        const answers: (() => void)[] = [];
        let uid = 0;
        let lives = false;
        let ownVersion = 0;
        let last: KubeObject | undefined;

        steps.forEach(({ ours, deletes, delay, lag }, i) => {
          const version = i + 1;
          const gone = deletes && lives;
          uid += lives ? 0 : 1;
          const now = object("a", String(version), { uid: String(uid) });
          if (ours && gone) {
            answers.push(() => store.wroteDeletion("ns", "a", now.metadata.uid));
          } else if (ours) {
            answers.push(() => {
              store.wrote(now);
              ownVersion = version;
            });
          }
          while (answers.length > lag) {
            answers.shift()?.();
          }
          lives = !gone;
          last = gone ? undefined : now;
          pending.push(() => (gone ? store.deleted(now) : store.changed(now)));
          while (pending.length > delay) {
            pending.shift()?.();
            const shown = store.get("ns", "a");
            assert.ok(shown === undefined || Number(shown.metadata.resourceVersion) >= ownVersion);
          }
        });
        [...answers, ...pending].forEach((tell) => tell());

        assert.equal(store.get("ns", "a")?.metadata.resourceVersion, last?.metadata.resourceVersion);
      }),
      { numRuns: 2_000 },
    );
  });
});
