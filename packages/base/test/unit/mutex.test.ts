import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settled } from "@weir/testing";
import { Mutex } from "../../src/mutex.ts";

describe("a mutex", () => {
  it("runs work one at a time, in order, whatever becomes of it", async () => {
    const mutex = new Mutex();
    const log: string[] = [];
    const work = (name: string, fail = false) =>
      mutex.run(async () => {
        log.push(`${name} begins`);
        await settled();
        log.push(`${name} ends`);
        if (fail) {
          throw new Error(name);
        }
        return name;
      });

    const results = await Promise.allSettled([work("a"), work("b", true), work("c")]);

    assert.deepEqual(log, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
  });

  it("never begins work that was given up before its turn, and lets the next one in", async () => {
    const mutex = new Mutex();
    const first = Promise.withResolvers<undefined>();
    const controller = new AbortController();
    let begun = false;
    const running = mutex.run(() => first.promise);
    const waiting = mutex.run(() => {
      begun = true;
      return Promise.resolve();
    }, controller.signal);
    const next = mutex.run(() => Promise.resolve("next"));

    controller.abort(new Error("given up"));
    await assert.rejects(waiting, /given up/);
    first.resolve(undefined);
    await running;

    assert.equal(await next, "next");
    assert.equal(begun, false);
  });

  it("leaves an abort during the work to the work", async () => {
    const mutex = new Mutex();
    const controller = new AbortController();

    const result = await mutex.run(() => {
      controller.abort(new Error("late"));
      return Promise.resolve("done");
    }, controller.signal);

    assert.equal(result, "done");
  });
});
