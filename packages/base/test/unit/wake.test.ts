import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settled } from "@weir/testing";
import { Wake } from "../../src/wake.ts";

const never = new AbortController().signal;

describe("a wake-up", () => {
  it("reaches the waiter", async () => {
    const wake = new Wake();
    const waited = wake.wait(never);

    wake.wake();

    await waited;
  });

  it("is kept for the next wait, many as one", async () => {
    const wake = new Wake();
    wake.wake();
    wake.wake();
    await wake.wait(never);
    let again = false;

    const second = wake.wait(never).then(() => {
      again = true;
    });
    await settled();
    assert.equal(again, false);

    wake.wake();
    await second;
  });

  it("is not lost where the wait is aborted", async () => {
    const wake = new Wake();
    const controller = new AbortController();
    const waited = wake.wait(controller.signal);
    controller.abort(new Error("stop"));
    await assert.rejects(waited, /stop/);

    wake.wake();

    await wake.wait(never);
  });

  it("rejects at once where the signal is aborted already", async () => {
    const wake = new Wake();
    wake.wake();

    await assert.rejects(wake.wait(AbortSignal.abort(new Error("stop"))), /stop/);

    await wake.wait(never);
  });

  it("keeps its waiter from being idle until that waits again", async () => {
    const wake = new Wake();
    wake.wake();
    let isIdle = false;
    const idle = wake.idle().then(() => (isIdle = true));

    await wake.wait(never);
    assert.equal(isIdle, false);

    const waited = wake.wait(never);
    await idle;
    wake.wake();
    await waited;
  });
});
