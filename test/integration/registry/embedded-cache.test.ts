import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FakeClock, TempFolder } from "@weir/testing";
import { CacheFileError, openEmbeddedCache } from "../../../src/registry/cache/embedded.ts";
import type { CacheStore } from "../../../src/registry/cache/store.ts";

const hour = 3_600_000;
const megabyte = 1 << 20;

function open(clock: FakeClock, file?: string): CacheStore {
  return openEmbeddedCache({ maxBytes: megabyte, clock, ...(file === undefined ? {} : { file }) });
}

describe("the embedded cache", () => {
  it("gives back what was put in, the last one where there were several", async () => {
    const store = open(new FakeClock());
    await store.set("key", { value: "first", deadline: 1 });
    await store.set("key", { value: "Grüße", deadline: 5 * hour });

    assert.deepEqual(await store.get("key"), { value: "Grüße", deadline: 5 * hour });
    assert.equal(await store.get("other"), undefined);
    await store.close();
  });

  it("forgets an item after twice the time until it is due, an hour at least", async () => {
    const clock = new FakeClock();
    const store = open(clock);
    await store.set("late", { value: "x", deadline: 5 * hour });
    await store.set("soon", { value: "x", deadline: 0 });

    await clock.advance(hour);
    assert.deepEqual([await store.get("soon"), (await store.get("late"))?.value], [undefined, "x"]);
    await clock.advance(9 * hour);
    assert.equal(await store.get("late"), undefined);
    await store.close();
  });

  it("stays within its size: what was written longest ago goes", async () => {
    const clock = new FakeClock();
    const store = open(clock);
    const value = "x".repeat(10_000);
    for (let index = 0; index < 300; index += 1) {
      await clock.advance(1);
      await store.set(`key-${index}`, { value, deadline: 100 * hour });
    }

    const kept = [];
    for (let index = 0; index < 300; index += 1) {
      if ((await store.get(`key-${index}`)) !== undefined) {
        kept.push(index);
      }
    }
    assert.ok(kept.length <= 104 && kept.length >= 90, `${kept.length} items`);
    assert.deepEqual(
      kept,
      kept.map((_, index) => 300 - kept.length + index),
    );
    await store.close();
  });

  it("survives a restart where it has a file", async () => {
    using folder = new TempFolder();
    const file = join(folder.path, "cache.db");
    const clock = new FakeClock();
    const first = open(clock, file);
    await first.set("key", { value: "x", deadline: hour });
    await first.close();

    const second = open(clock, file);
    assert.equal((await second.get("key"))?.value, "x");
    await second.close();
  });

  it("leaves a file alone that is no cache, and names it", () => {
    using folder = new TempFolder();
    const text = "this is no database, but somebody's letters\n".repeat(50);
    const file = folder.write("letters.txt", text);

    assert.throws(
      () => open(new FakeClock(), file),
      (error) => {
        assert.ok(error instanceof CacheFileError);
        assert.equal(error.file, file);
        return true;
      },
    );
    assert.equal(readFileSync(file, "utf8"), text);
  });
});
