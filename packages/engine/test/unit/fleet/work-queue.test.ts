import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settled } from "@weir/testing";
import { WorkQueue } from "../../../src/fleet/work-queue.ts";

/** A queue with workers that wait at each name until the test lets them go on. */
class Workers implements AsyncDisposable {
  readonly queue = new WorkQueue();
  /** The names that were begun with, in order. */
  readonly begun: string[] = [];
  /** Those that are being worked on. */
  readonly active: string[] = [];
  readonly #finish: (() => void)[] = [];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(workers: number, ...names: readonly string[]) {
    names.forEach((name) => this.queue.add(name));
    const work = async (name: string): Promise<void> => {
      this.begun.push(name);
      this.active.push(name);
      await new Promise<void>((resolve) => this.#finish.push(resolve));
      this.active.splice(this.active.indexOf(name), 1);
    };
    this.#running = this.queue.run(workers, work, this.#stop.signal);
  }

  /** Ends the work that was begun first, and lets what follows from that happen. */
  async finishOne(): Promise<void> {
    this.#finish.shift()?.();
    await settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#finish.forEach((finish) => finish());
    await this.#running;
  }
}

describe("WorkQueue", () => {
  it("works on each name once, however often it was added while it waited", async () => {
    await using workers = new Workers(2, "a", "b", "a", "c", "b");

    await workers.finishOne();
    await workers.finishOne();
    await workers.finishOne();
    await workers.queue.idle();

    assert.deepEqual(workers.begun, ["a", "b", "c"]);
  });

  it("works again on what is added while it is being worked on, and never twice at a time", async () => {
    await using workers = new Workers(3, "a");
    workers.queue.add("a");
    workers.queue.add("a");
    assert.deepEqual(workers.active, ["a"]);

    await workers.finishOne();

    assert.deepEqual(workers.active, ["a"]);
    await workers.finishOne();
    await workers.queue.idle();
    assert.deepEqual(workers.begun, ["a", "a"]);
  });

  it("works on as many names at once as it has workers", async () => {
    await using workers = new Workers(4, ...["a", "b", "c", "d", "e"]);

    assert.deepEqual(workers.active, ["a", "b", "c", "d"]);
    await workers.finishOne();
    assert.deepEqual(workers.active, ["b", "c", "d", "e"]);
  });

  it("is not idle while something waits or is being worked on", async () => {
    await using workers = new Workers(1, "a", "b");
    let isIdle = false;
    const idle = workers.queue.idle().then(() => (isIdle = true));

    await workers.finishOne();
    assert.equal(isIdle, false);

    await workers.finishOne();
    await idle;
  });

  it("ends idle workers when aborted", async () => {
    const queue = new WorkQueue();
    const abort = new AbortController();
    const running = queue.run(2, () => Promise.resolve(), abort.signal);

    abort.abort();

    await running;
  });
});
