import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { type Checkup, failed, passed, runCheckups } from "../../src/finding.ts";

const never = new AbortController().signal;
const timeoutMs = 60_000;
const limit = { clock: new FakeClock(), timeoutMs };

describe("runCheckups", () => {
  const well: Checkup = { subject: "a", look: () => Promise.resolve([passed("a", "fine")]) };
  const broken: Checkup = { subject: "b", look: () => Promise.reject(new Error("no answer")) };

  it("has what each of them finds, in their order, and a finding for what could not be looked at", async () => {
    assert.deepEqual(await runCheckups([broken, well], limit, never), [
      failed("b", "cannot check this: no answer", ""),
      passed("a", "fine"),
    ]);
  });

  it("gives up on what takes too long, and on that alone", async () => {
    const endless: Checkup = {
      subject: "c",
      look: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("too long")));
        }),
    };

    const clock = new FakeClock();

    const findings = runCheckups([endless, well], { clock, timeoutMs }, never);
    await clock.advance(timeoutMs);

    assert.deepEqual(await findings, [failed("c", "cannot check this: too long", ""), passed("a", "fine")]);
  });

  it("rejects where the caller gives up", async () => {
    await assert.rejects(runCheckups([broken], limit, AbortSignal.abort(new Error("gone"))), /gone/);
  });
});
