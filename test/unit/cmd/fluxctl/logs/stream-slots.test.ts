import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { until } from "@weir/testing";
import { StreamSlots } from "../../../../../cmd/fluxctl/logs/stream-slots.ts";

describe("StreamSlots", () => {
  it("lets only so many work at the same time, in turn, and says so once", async () => {
    let told = 0;
    const slots = new StreamSlots(2, () => (told += 1));
    const { signal } = new AbortController();
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>());
    const began: number[] = [];
    const works = gates.map(({ promise }, index) =>
      slots.run(async () => {
        began.push(index);
        await promise;
      }, signal),
    );
    await Promise.resolve();
    assert.deepEqual(began, [0, 1]);

    gates[1]?.resolve(undefined);
    await until("the third to begin", () => began.length === 3);

    gates.forEach(({ resolve }) => resolve(undefined));
    await Promise.all(works);
    assert.deepEqual([began, told], [[0, 1, 2, 3], 1]);
  });

  it("gives back the slot of work that fails, and of somebody who gives up", async () => {
    const slots = new StreamSlots(1, () => undefined);
    const [first, second] = [new AbortController(), new AbortController()];
    const gate = Promise.withResolvers<undefined>();
    const failing = slots.run(() => gate.promise, first.signal);
    const waiting = slots.run(() => Promise.resolve("never"), second.signal);
    const last = slots.run(() => Promise.resolve("done"), first.signal);

    second.abort(new Error("enough"));
    gate.reject(new Error("failed"));

    await assert.rejects(waiting, { message: "enough" });
    await assert.rejects(failing, { message: "failed" });
    assert.equal(await last, "done");
  });
});
