import { AnyAbort, type BackoffPolicy, backoffDelay, Deadline, Wake } from "@weir/base";
import { ContainerLog, type LogWorld } from "./container-log.ts";
import { judge, type Need } from "./errors.ts";
import { afterRead, nextRead, type Progress, progressFrom, type Step } from "./next-read.ts";
import type { ContainerView } from "./pod.ts";
import { type LogSource, nameOfSource } from "./printer.ts";
import type { Wanted } from "./query.ts";
import type { StreamSlots } from "./stream-slots.ts";

const retries: BackoffPolicy = { initialMs: 1_000, maxMs: 15_000, factor: 2, jitter: 0.2 };
/** After this many failures in a row, a person is told. */
const tellAfter = 3;
/** How long a log may go on after its pod is deleted: the node may be gone too. */
const goneMs = 10_000;
/** Reasons for not running that need no explanation. */
const usualReasons = ["", "ContainerCreating", "PodInitializing"];

/** The state of a pod, for its containers. */
export interface PodState {
  readonly isOver: boolean;
  readonly isGone: boolean;
}

/** A container to follow, as it is now. */
export interface Followed {
  readonly source: LogSource;
  readonly wanted: Wanted;
  readonly view: ContainerView;
  readonly state: PodState;
}

/** Follows the log of a container through restarts and interruptions. */
export class Follower {
  readonly #world: FollowerWorld;
  readonly #source: LogSource;
  readonly #log: ContainerLog;
  readonly #need: Need;
  readonly #wake = new Wake();
  readonly #gone = new AbortController();
  #view: ContainerView;
  #state: PodState;
  #progress: Progress;
  #failures = 0;
  #told = "";

  constructor(world: FollowerWorld, { source, wanted, view, state }: Followed) {
    this.#world = world;
    this.#source = source;
    this.#log = new ContainerLog(world, source, wanted);
    this.#need = { right: "get pods/log", namespace: source.namespace };
    this.#view = view;
    this.#state = state;
    this.#progress = progressFrom(view);
  }

  /** The container or its pod has changed. */
  update(view: ContainerView, state: PodState, signal: AbortSignal): void {
    if (state.isGone && !this.#state.isGone) {
      this.#world.clock.sleep(goneMs, signal).then(
        () => this.#gone.abort(),
        () => undefined,
      );
    }
    this.#view = view;
    this.#state = state;
    this.#wake.wake();
  }

  /** Resolves when there will be nothing more to read. Rejects with LogsError, or if the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#view.run === undefined && !this.#state.isGone) {
      // Fails early if logs can't be read at all.
      await this.#attempt(() => this.#log.read({ previous: false, follow: false }, signal), signal);
    }
    for (let step = this.#next(); step.kind !== "end"; step = this.#next()) {
      if (step.kind === "wait") {
        this.#explainWait();
        await this.#wake.wait(signal);
      } else if (!(await this.#world.slots.run(() => this.#read(signal), signal))) {
        await this.#pause(signal);
      }
    }
  }

  #next(): Step {
    return nextRead(this.#view, this.#state, this.#progress);
  }

  /** Reads what's next. Returns false to look again only after a while. */
  async #read(signal: AbortSignal): Promise<boolean> {
    // While it waited for its turn, the container may have changed.
    const [step, view] = [this.#next(), this.#view];
    if (step.kind !== "read") {
      return true;
    }
    if (step.lost > 0) {
      const times = step.lost === 1 ? "once" : `${step.lost} times`;
      this.#tell(`restarted ${times} too quickly for its log to be read in between`);
    }
    using ends = new AnyAbort(signal, this.#gone.signal);
    const follow = !step.hasEnded;
    const verdict = await this.#attempt(
      () => this.#log.read({ previous: step.previous, follow }, ends.signal),
      signal,
    );
    const isDone = verdict === "read" || (step.previous && verdict === "absent");
    if (step.hasEnded && isDone) {
      this.#progress = afterRead(step, view);
      return true;
    }
    return false;
  }

  async #attempt(read: () => Promise<void>, signal: AbortSignal): Promise<"read" | "absent" | "failed"> {
    try {
      await read();
      this.#failures = 0;
      return "read";
    } catch (error) {
      signal.throwIfAborted();
      const verdict = judge(error, this.#need);
      if (verdict.kind === "fatal") {
        throw verdict.error;
      }
      if (verdict.kind === "absent") {
        return "absent";
      }
      this.#failures += 1;
      if (this.#failures === tellAfter && !this.#state.isGone) {
        this.#tell(`cannot read the log, retrying: ${verdict.reason}`);
      }
      return "failed";
    }
  }

  /** Waits until the container changes, but not long: the news may be late. */
  async #pause(signal: AbortSignal): Promise<void> {
    const waitMs = backoffDelay(retries, Math.max(1, this.#failures));
    using limit = new Deadline(this.#world.clock, waitMs, signal);
    await this.#wake.wait(limit.signal).catch(() => signal.throwIfAborted());
  }

  #explainWait(): void {
    const { run, reason } = this.#view;
    if (run === undefined && reason !== this.#told && !usualReasons.includes(reason)) {
      this.#told = reason;
      this.#tell(`has not started: ${reason}`);
    }
  }

  #tell(text: string): void {
    this.#world.printer.tell(`${nameOfSource(this.#source)} ${text}`);
  }
}

export interface FollowerWorld extends LogWorld {
  readonly slots: StreamSlots;
}
