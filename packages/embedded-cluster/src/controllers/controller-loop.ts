/** Runs the controllers: each write tells them what to look at, and what they ask to see again comes again. */
import { Alarm, type Clock, type Logger, messageOf, Wake } from "@weir/base";
import type { StoreEvent } from "../storage/bucket.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { Controller } from "./controller.ts";
import { DelayQueue } from "./delay-queue.ts";

/** How many things are looked at before requests get their turn. */
const batch = 50;
const retryMs = 1000;

/** What controllers work with. */
export interface LoopTools {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class ControllerLoop {
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #controllers: readonly Controller[];
  readonly #queues: readonly DelayQueue[];
  readonly #wake = new Wake();
  readonly #alarm: Alarm;
  /** Whose turn it is: one that always has something to do must not keep the others from theirs. */
  #turn = 0;

  constructor({ store, clock, logger }: LoopTools, controllers: readonly Controller[]) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#controllers = controllers;
    this.#queues = controllers.map(() => new DelayQueue());
    this.#alarm = new Alarm(clock, () => this.#wake.wake());
  }

  /** Looks at all that is there, then follows the writes until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = this.#store.onEvent((event) => this.#note(event));
    this.#noteAll();
    try {
      while (!signal.aborted) {
        await this.#round(signal);
      }
    } finally {
      stop();
      this.#alarm.clear();
    }
  }

  #noteAll(): void {
    for (const name of this.#store.bucketNames()) {
      for (const object of this.#store.bucket(name).list("")) {
        this.#note({ type: "ADDED", revision: object.revision, object, previous: undefined });
      }
    }
  }

  #note(event: StoreEvent): void {
    const now = this.#clock.now();
    for (const [index, controller] of this.#controllers.entries()) {
      for (const key of controller.keysOf(event)) {
        this.#queues[index]?.put(key, now);
        this.#wake.wake();
      }
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const isDone = this.#work();
    if (!isDone) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      return;
    }
    const next = this.#nextDue();
    if (next === undefined) {
      this.#alarm.clear();
    } else {
      this.#alarm.set(Math.max(0, next - this.#clock.now()));
    }
    // Being stopped ends the wait; the loop asks for it.
    await this.#wake.wait(signal).catch(() => undefined);
  }

  /** Looks at some of what is due; true where nothing was left. */
  #work(): boolean {
    for (let count = 0; count < batch; count++) {
      if (!this.#workOne()) {
        return true;
      }
    }
    return false;
  }

  #workOne(): boolean {
    const now = this.#clock.now();
    for (let tries = 0; tries < this.#controllers.length; tries++) {
      const index = this.#turn;
      this.#turn = (this.#turn + 1) % this.#controllers.length;
      const [controller, queue] = [this.#controllers[index], this.#queues[index]];
      const key = queue?.take(now);
      if (controller !== undefined && key !== undefined) {
        const again = this.#reconcile(controller, key);
        if (again !== undefined) {
          queue?.put(key, now + again);
        }
        return true;
      }
    }
    return false;
  }

  /** A controller that fails is asked again later: it must not stop the others. */
  #reconcile(controller: Controller, key: string): number | undefined {
    try {
      return controller.reconcile(key);
    } catch (error) {
      this.#logger.log({ err: messageOf(error), controller: controller.name, key });
      return retryMs;
    }
  }

  #nextDue(): number | undefined {
    const times = this.#queues.flatMap((queue) => queue.next() ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }
}
