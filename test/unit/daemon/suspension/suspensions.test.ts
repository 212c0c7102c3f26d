import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FluxError } from "@weir/flux";
import { FakeClock, RecordedLog } from "@weir/testing";
import { SuspendedError } from "../../../../src/daemon/suspension/errors.ts";
import {
  type SuspensionStore,
  Suspensions,
  type Unkept,
} from "../../../../src/daemon/suspension/suspensions.ts";

const never = new AbortController().signal;
const both = ["sync", "automation"] as const;

/** A Secret's annotation, which a test can make unavailable. */
class ScriptedStore implements SuspensionStore {
  text: string | undefined;
  unkept: Unkept | undefined;
  failures = 0;

  async read() {
    this.#fail();
    return Promise.resolve(this.unkept === undefined ? { text: this.text } : { unkept: this.unkept });
  }

  async update(change: (current: string | undefined) => string | undefined): Promise<Unkept | undefined> {
    this.#fail();
    if (this.unkept === undefined) {
      this.text = change(this.text);
    }
    return Promise.resolve(this.unkept);
  }

  #fail(): void {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error("connection refused");
    }
  }
}

/** The suspensions of a fluxd, and what others see of them. */
function open(store: SuspensionStore = new ScriptedStore(), clock: FakeClock = new FakeClock()) {
  const gauge = new Map<string, boolean>();
  const notes: string[] = [];
  const logger = new RecordedLog();
  const seen = { resumed: 0 };
  const suspensions = new Suspensions({
    store,
    clock,
    logger,
    setSuspended: (what, isSuspended) => gauge.set(what, isSuspended),
    note: (type, message) => notes.push(`${type}: ${message}`),
    onResumed: () => {
      seen.resumed += 1;
    },
  });
  return { suspensions, gauge, notes, logger, clock, seen };
}

function request(what: readonly ("sync" | "automation")[], seconds?: number) {
  return { what, reason: "migration", user: "Ann", ...(seconds === undefined ? {} : { seconds }) };
}

describe("suspensions", () => {
  it("stop the sync that runs, and no later one once they're resumed", async () => {
    const { suspensions, gauge, notes, seen } = open();
    await suspensions.load(never);
    const running = suspensions.syncing;

    await suspensions.suspend(request(both), never);

    assert.ok(running.reason instanceof SuspendedError);
    assert.deepEqual([...gauge.values()], [true, true]);
    const { ended } = await suspensions.resume({ what: ["sync"], user: "Bob" }, never);
    assert.deepEqual(
      ended.map(({ what }) => what),
      ["sync"],
    );
    assert.equal(suspensions.syncing.aborted, false);
    assert.deepEqual(Object.fromEntries(gauge), { sync: false, automation: true });
    assert.equal(seen.resumed, 1);
    assert.deepEqual(notes, [
      "suspend: syncing and automated image updates are suspended by Ann because: migration",
      "resume: resumed by Bob: syncing",
    ]);
  });

  it("are known to the next fluxd before it does anything, however long that takes", async () => {
    const store = new ScriptedStore();
    await open(store).suspensions.suspend(request(["sync"]), never);
    store.failures = 3;
    const { suspensions, clock, logger } = open(store);

    const loading = suspensions.load(never);
    await clock.advance(60_000);
    await loading;

    assert.equal(suspensions.find("sync")?.user, "Ann");
    assert.ok(suspensions.syncing.aborted);
    assert.deepEqual(logger.lines, [
      "err=it isn't known yet whether syncing is suspended, so nothing is synced; retrying: connection refused",
      "warning=syncing is suspended by Ann because: migration; to resume, run `fluxctl resume`",
    ]);
  });

  it("end by themselves, also weeks later, and once", async () => {
    const day = 24 * 60 * 60;
    const { suspensions, clock, notes, seen } = open();
    await suspensions.suspend(request(["sync"], 40 * day), never);

    await clock.advance((40 * day - 1) * 1000);
    assert.notEqual(suspensions.find("sync"), undefined);
    await clock.advance(1_000);

    assert.equal(suspensions.find("sync"), undefined);
    assert.equal(suspensions.syncing.aborted, false);
    assert.deepEqual([seen.resumed, notes.slice(1)], [1, ["resume: resumed, as planned: syncing"]]);
  });

  it("that have ended meanwhile don't count for the next fluxd", async () => {
    const store = new ScriptedStore();
    const { suspensions, clock } = open(store);
    await suspensions.suspend(request(["sync"], 60), never);
    await clock.advance(60_000);

    const next = open(store, clock);
    await next.suspensions.load(never);

    assert.deepEqual(next.suspensions.active, []);
    assert.deepEqual(next.logger.lines, []);
  });

  it("aren't promised where the next fluxd wouldn't know", async () => {
    const store = new ScriptedStore();
    store.unkept = { why: "not-permitted", reason: "fluxd isn't allowed to patch the Secret flux/key" };
    const { suspensions } = open(store);

    await assert.rejects(suspensions.suspend(request(["sync"]), never), (error) => {
      assert.ok(error instanceof FluxError);
      assert.match(
        error.message,
        /^cannot suspend: the next fluxd would not know .* patch the Secret flux\/key$/,
      );
      return true;
    });

    assert.deepEqual(suspensions.active, []);
  });

  it("last until a restart outside a pod, and the answer says so", async () => {
    const store = new ScriptedStore();
    store.unkept = { why: "outside-pod", reason: "fluxd doesn't run in a pod" };
    const { suspensions } = open(store);

    const { forgotten } = await suspensions.suspend(request(["sync"]), never);

    assert.equal(forgotten, "fluxd doesn't run in a pod");
    assert.notEqual(suspensions.find("sync"), undefined);
    assert.equal((await suspensions.resume({ what: both, user: "" }, never)).forgotten, "");
    assert.deepEqual(suspensions.active, []);
  });

  it("can always be resumed, and the answer says if the next fluxd finds them again", async () => {
    const store = new ScriptedStore();
    const { suspensions } = open(store);
    await suspensions.suspend(request(["sync"]), never);
    store.unkept = { why: "not-permitted", reason: "fluxd isn't allowed to" };

    const { forgotten } = await suspensions.resume({ what: ["sync"], user: "" }, never);

    assert.equal(forgotten, "fluxd isn't allowed to");
    assert.equal(suspensions.find("sync"), undefined);
  });

  it("stay as they are if it isn't known what is stored", async () => {
    const store = new ScriptedStore();
    const { suspensions } = open(store);
    store.failures = 1;

    await assert.rejects(suspensions.suspend(request(["sync"]), never), /connection refused; try again/);

    assert.equal(suspensions.find("sync"), undefined);
  });
});
