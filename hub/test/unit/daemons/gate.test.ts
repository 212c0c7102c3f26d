import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settled } from "@weir/testing";
import { Gate } from "../../../src/daemons/gate.ts";

const { signal } = new AbortController();
const never = new Promise<never>(() => undefined);

describe("a gate", () => {
  it("lets in as many as there are places, and the others in their order", async () => {
    const gate = new Gate(new FakeClock(), { places: 2, patience: 1_000 });
    const begun: string[] = [];
    const first = Promise.withResolvers<undefined>();
    const enter = (name: string, work: Promise<undefined>): void =>
      void gate.run(() => {
        begun.push(name);
        return work;
      }, signal);
    enter("a", first.promise);
    for (const name of ["b", "c", "d"]) {
      enter(name, never);
    }
    await settled();
    assert.deepEqual(begun, ["a", "b"]);

    first.resolve(undefined);
    await settled();

    assert.deepEqual(begun, ["a", "b", "c"]);
  });

  it("lets others in after a while, although the slow work goes on", async () => {
    const clock = new FakeClock();
    const gate = new Gate(clock, { places: 1, patience: 1_000 });
    void gate.run(() => never, signal);
    const next = gate.run(() => Promise.resolve("in"), signal);
    await clock.sleeping(1_000);

    await clock.advance(1_000);

    assert.equal(await next, "in");
  });

  it("keeps no place for who has stopped waiting, or has failed", async () => {
    const gate = new Gate(new FakeClock(), { places: 1, patience: 1_000 });
    const first = Promise.withResolvers<undefined>();
    const failing = gate.run(() => first.promise, signal);
    const leaving = new AbortController();
    const gone = gate.run(() => Promise.resolve("never"), leaving.signal);
    const next = gate.run(() => Promise.resolve("in"), signal);

    leaving.abort(new Error("gone"));
    first.reject(new Error("failed"));

    await assert.rejects(gone, /gone/);
    await assert.rejects(failing, /failed/);
    assert.equal(await next, "in");
    await assert.rejects(
      gate.run(() => Promise.resolve("never"), leaving.signal),
      /gone/,
    );
  });
});
