import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ImageStoreAwayError } from "@weir/flux";
import { FakeClock } from "@weir/testing";
import { openStopgap } from "../../../../src/registry/cache/stopgap.ts";
import type { CacheItem, CacheStore, ListableStore } from "../../../../src/registry/cache/store.ts";

const minute = 60_000;
const item = (value: string): CacheItem => ({ value, deadline: 1 });

/** A cache in memory that can be away, and that can refuse what is too long for it. */
class MapStore implements ListableStore {
  readonly items = new Map<string, CacheItem>();
  isAway = false;
  isClosed = false;
  readonly #longest: number;

  constructor(items: Readonly<Record<string, string>> = {}, longest = Infinity) {
    Object.entries(items).forEach(([key, value]) => this.items.set(key, item(value)));
    this.#longest = longest;
  }

  keys(): readonly string[] {
    return [...this.items.keys()];
  }

  get(key: string): Promise<CacheItem | undefined> {
    return this.#whereThere(() => this.items.get(key));
  }

  set(key: string, value: CacheItem): Promise<void> {
    if (value.value.length > this.#longest) {
      return Promise.reject(new Error("too large"));
    }
    return this.#whereThere(() => void this.items.set(key, value));
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  #whereThere<T>(work: () => T): Promise<T> {
    return this.isAway ? Promise.reject(new ImageStoreAwayError("away")) : Promise.resolve(work());
  }
}

/** A stopgap for a cache that can be opened as `wanted` says, and how often that was tried. */
class Rig implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly stopgap: MapStore;
  readonly store: CacheStore;
  readonly takeovers: number[] = [];
  tries = 0;
  wanted: MapStore | undefined;

  constructor(items: Readonly<Record<string, string>> = {}) {
    this.stopgap = new MapStore(items);
    this.store = openStopgap({
      stopgap: this.stopgap,
      open: () => {
        this.tries += 1;
        return this.wanted === undefined ? Promise.reject(new Error("nobody")) : Promise.resolve(this.wanted);
      },
      onTakeover: (count) => this.takeovers.push(count),
      clock: this.clock,
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.store.close();
  }
}

describe("a cache that stands in for another", () => {
  it("is used until the other one can be reached, which gets what is kept and is used from then on", async () => {
    await using rig = new Rig({ early: "1" });
    await rig.store.set("late", item("2"));
    assert.deepEqual(await rig.store.get("early"), item("1"));

    const wanted = new MapStore();
    rig.wanted = wanted;
    await rig.clock.advance(minute);
    await rig.store.set("after", item("3"));

    assert.deepEqual([...wanted.items.keys()], ["early", "late", "after"]);
    assert.deepEqual(await rig.store.get("early"), item("1"));
    assert.deepEqual([rig.takeovers, rig.stopgap.isClosed], [[2], true]);
  });

  it("looks for the other one ever more rarely, half a minute apart at last, and not any more once it is there", async () => {
    await using rig = new Rig();

    await rig.clock.advance(minute);
    assert.ok(rig.tries >= 5 && rig.tries <= 8, `${rig.tries} tries`);
    const before = rig.tries;
    await rig.clock.advance(10 * minute);
    assert.ok(rig.tries - before >= 19 && rig.tries - before <= 26, `${rig.tries - before} tries`);

    rig.wanted = new MapStore();
    await rig.clock.advance(minute);
    const atLast = rig.tries;
    await rig.clock.advance(10 * minute);
    assert.equal(rig.tries, atLast);
  });

  it("leaves what the other one has already, and passes over what it does not take", async () => {
    await using rig = new Rig({ shared: "ours", large: "x".repeat(100), small: "1" });

    const wanted = new MapStore({ shared: "theirs" }, 10);
    rig.wanted = wanted;
    await rig.clock.advance(minute);

    assert.deepEqual(Object.fromEntries(wanted.items), { shared: item("theirs"), small: item("1") });
    assert.deepEqual(rig.takeovers, [1]);
  });

  it("stays where the other one goes away while it takes things along, and tries again", async () => {
    await using rig = new Rig({ key: "1" });
    const fleeting = new MapStore();
    fleeting.isAway = true;
    rig.wanted = fleeting;

    await rig.clock.advance(minute);
    assert.deepEqual([await rig.store.get("key"), rig.takeovers], [item("1"), []]);
    assert.ok(fleeting.isClosed && !rig.stopgap.isClosed);

    rig.wanted = new MapStore();
    await rig.clock.advance(2 * minute);
    assert.deepEqual([await rig.store.get("key"), rig.takeovers], [item("1"), [1]]);
  });

  it("is closed, and looks no longer, when that is wanted", async () => {
    const rig = new Rig();

    await rig.store.close();
    await rig.clock.advance(10 * minute);

    assert.deepEqual([rig.tries, rig.stopgap.isClosed], [0, true]);
  });
});
