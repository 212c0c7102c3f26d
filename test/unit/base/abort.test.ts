import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { abortReason, orAborted } from "../../../src/base/abort.ts";

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

  it("makes an Error of any reason", () => {
    assert.equal(abortReason(AbortSignal.abort("why")).cause, "why");
  });
});
