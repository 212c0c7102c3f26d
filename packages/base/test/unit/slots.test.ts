import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settled } from "@weir/testing";
import { Slots } from "../../src/slots.ts";

describe("Slots", () => {
  it("lets so many work at once, the others in the order they came", async () => {
    const slots = new Slots(2);
    const log: string[] = [];
    const ends = ["a", "b", "c", "d"].map((name) => ({ name, ...Promise.withResolvers<undefined>() }));
    const all = ends.map(({ name, promise }) =>
      slots.run(async () => {
        log.push(`+${name}`);
        await promise;
        log.push(`-${name}`);
      }),
    );
    await settled();

    assert.deepEqual(log, ["+a", "+b"]);
    ends[1]?.resolve(undefined);
    await all[1];
    await settled();
    assert.deepEqual(log, ["+a", "+b", "-b", "+c"]);
    ends.forEach(({ resolve }) => resolve(undefined));
    await Promise.all(all);
    assert.deepEqual(log, ["+a", "+b", "-b", "+c", "-a", "-c", "+d", "-d"]);
  });

  it("gives the place back after a failure", async () => {
    const slots = new Slots(1);

    await assert.rejects(
      slots.run(() => Promise.reject(new Error("no"))),
      { message: "no" },
    );

    assert.equal(await slots.run(() => Promise.resolve("next")), "next");
  });

  it("forgets those who stop waiting", async () => {
    const slots = new Slots(1);
    const first = Promise.withResolvers<string>();
    const stopping = new AbortController();
    const running = slots.run(() => first.promise);
    const waiting = slots.run(() => Promise.resolve("never"), stopping.signal);
    const after = slots.run(() => Promise.resolve("after"));

    stopping.abort(new Error("enough"));

    await assert.rejects(waiting, { message: "enough" });
    first.resolve("first");
    assert.deepEqual(await Promise.all([running, after]), ["first", "after"]);
  });
});
