import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { FakeClock, settled } from "@weir/testing";
import { OutsideCalls } from "../../../src/fleet/outside-calls.ts";

const never = (): Promise<never> => new Promise(() => undefined);

describe("OutsideCalls", () => {
  let clock: FakeClock;
  let calls: OutsideCalls;
  let abort: AbortController;

  beforeEach(() => {
    clock = new FakeClock();
    calls = new OutsideCalls(clock);
    abort = new AbortController();
  });

  /** A call with a limit of a second. */
  function make<T>(start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return calls.make({ what: "it", limitMs: 1_000, signal: abort.signal }, start);
  }

  it("settle like what they call", async () => {
    assert.equal(await make(() => Promise.resolve("done")), "done");
    await assert.rejects(
      make(() => Promise.reject(new Error("no"))),
      { message: "no" },
    );
    await assert.rejects(
      make(() => {
        throw new Error("at once");
      }),
      { message: "at once" },
    );
  });

  it("end at their limit, and abort what they call", async () => {
    let reason: unknown;
    const late = assert.rejects(
      make((signal) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        return never();
      }),
      { name: "TimeoutError", message: "it took longer than 1 s" },
    );

    await clock.advance(1_000);

    await late;
    assert.equal(String(reason), "TimeoutError: it took longer than 1 s");
  });

  it("end with their signal, also if what they call ignores it", async () => {
    const aborted = assert.rejects(make(never), { message: "enough" });

    abort.abort(new Error("enough"));

    await aborted;
    await assert.rejects(
      make(() => Promise.resolve()),
      { message: "enough" },
    );
  });

  it("remember what goes on without anybody waiting for it", async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    make(() => promise).catch(() => undefined);
    make(never).catch(() => undefined);
    abort.abort(new Error("enough"));

    resolve(undefined);
    const ended = calls.ended(500);
    await clock.advance(500);

    assert.deepEqual(await ended, ["it"]);
  });

  it("have all ended as soon as the last has", async () => {
    const { promise, reject } = Promise.withResolvers<undefined>();
    const made = assert.rejects(make(() => promise));
    let left: readonly string[] | undefined;
    void calls.ended(500).then((names) => (left = names));
    await settled();
    assert.equal(left, undefined);

    reject(new Error("no"));
    await made;
    await settled();

    assert.deepEqual(left, []);
  });
});
