import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AnyAbort, abortReason, orAborted } from "../../src/abort.ts";

describe("waiting that can be given up", () => {
  it("settles as what is waited for", async () => {
    const { signal } = new AbortController();

    assert.equal(await orAborted(Promise.resolve(1), signal), 1);
    await assert.rejects(orAborted(Promise.reject(new Error("bad")), signal), /bad/);
  });

  it("rejects with the reason when aborted, before or meanwhile", async () => {
    const controller = new AbortController();
    const never = new Promise<never>(() => undefined);
    const waiting = orAborted(never, controller.signal);

    controller.abort(new Error("enough"));

    await assert.rejects(waiting, /enough/);
    await assert.rejects(orAborted(never, controller.signal), /enough/);
  });

  it("lets nothing go unheard that fails after the waiting was given up", async () => {
    const failing = Promise.withResolvers<never>();
    const waiting = orAborted(failing.promise, AbortSignal.abort(new Error("enough")));

    failing.reject(new Error("nobody waits for this"));

    await assert.rejects(waiting, /enough/);
  });

  it("just waits where there is no signal", async () => {
    assert.equal(await orAborted(Promise.resolve(1)), 1);
  });

  it("makes an Error of any reason", () => {
    assert.equal(abortReason(AbortSignal.abort("why")).cause, "why");
  });
});

describe("any of some signals", () => {
  it("ends with the reason of the first, before or meanwhile", () => {
    const [one, other] = [new AbortController(), new AbortController()];
    using either = new AnyAbort(one.signal, other.signal);

    other.abort(new Error("enough"));
    one.abort(new Error("too late"));
    using late = new AnyAbort(new AbortController().signal, other.signal);

    assert.match(String(either.signal.reason), /enough/);
    assert.match(String(late.signal.reason), /enough/);
  });

  it("is not ended any more when it is disposed", () => {
    const controller = new AbortController();
    const either = new AnyAbort(controller.signal);

    either[Symbol.dispose]();
    controller.abort();

    assert.equal(either.signal.aborted, false);
  });
});
