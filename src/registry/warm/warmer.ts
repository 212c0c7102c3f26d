/**
 * Keeps the cache warm: goes over all repositories in use, again and again, a minute apart at least. In flow the
 * images of workloads and wishes for one of them to be first; out flow records in the cache, and a call when
 * there are images that are news. As Flux v1's cache.Warmer, but several repositories at a time.
 */
import { Alarm } from "../../base/alarm.ts";
import { messageOf } from "../../base/errors.ts";
import { Wake } from "../../base/wake.ts";
import { canonicalImageName, type ImageName, printImageName } from "../../image/name.ts";
import type { ImageSource } from "../image-source.ts";
import { Backlog, itemsOf, type WarmItem } from "./backlog.ts";
import { ToldErrors } from "./told-errors.ts";
import { type WarmContext, warmRepository } from "./warm-repository.ts";

/** What a warmer works with. */
export interface WarmerOptions extends Omit<WarmContext, "told"> {
  /** The images in use; asked at each round. */
  readonly images: ImageSource;
  /** Called when a repository has images that it had not: look whether a workload wants one. */
  readonly onNewImages: () => void;
}

/** As Flux v1. */
const roundMs = 60_000;
/** Repositories gone over at a time. What is asked of one host is bounded by its limits all the same. */
const repositoriesAtOnce = 4;

export class Warmer {
  readonly #options: WarmerOptions;
  readonly #stopped = new AbortController();
  readonly #wake = new Wake();
  readonly #alarm: Alarm;
  readonly #backlog = new Backlog();
  readonly #warmedAt = new Map<string, number>();
  readonly #told = new Map<string, ToldErrors>();
  readonly #working = new Map<string, Promise<void>>();
  readonly #wishes: ImageName[] = [];
  #items: ReadonlyMap<string, WarmItem> = new Map();
  #nextRound = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(options: WarmerOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock, () => this.#wake.wake());
  }

  /** Begins the first round. */
  start(): void {
    this.#running = this.#run(this.#stopped.signal);
  }

  /** Ends what is going on. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error("the warmer is stopped"));
    this.#alarm.clear();
    await this.#running;
    await Promise.all(this.#working.values());
  }

  /** Puts the repository of an image before all others: somebody says that it has something new. */
  prioritize(name: ImageName): void {
    this.#wishes.push(name);
    this.#wake.wake();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#hearWishes(signal);
      await this.#beginRound(signal);
      this.#startWork(signal);
      await this.#wake.wait(signal).catch(() => undefined);
    }
    this.#options.logger.log({ stopping: "true" });
  }

  /** A name that was not in use a moment ago may be in a workload that is new. */
  async #hearWishes(signal: AbortSignal): Promise<void> {
    for (let name = this.#wishes.shift(); name !== undefined; name = this.#wishes.shift()) {
      const key = printImageName(canonicalImageName(name));
      this.#options.logger.log({ priority: printImageName(name) });
      if (!this.#items.has(key)) {
        await this.#askForImages(signal);
      }
      if (this.#items.has(key)) {
        this.#backlog.jump(key);
      } else {
        this.#options.logger.log({ priority: printImageName(name), err: "no creds available" });
      }
    }
  }

  async #beginRound(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    if (!this.#backlog.isEmpty || this.#working.size > 0) {
      return;
    }
    const wait = this.#nextRound - clock.now();
    if (wait > 0) {
      this.#alarm.set(wait);
      return;
    }
    this.#nextRound = clock.now() + roundMs;
    this.#alarm.set(roundMs);
    await this.#askForImages(signal);
    this.#backlog.fill(this.#items.keys(), this.#warmedAt);
  }

  /** Where the images cannot be told, those that were in use before stay. */
  async #askForImages(signal: AbortSignal): Promise<void> {
    const { images, logger } = this.#options;
    try {
      this.#items = itemsOf(await images.imageCredentials(signal));
    } catch (error) {
      if (!signal.aborted) {
        logger.log({ err: `asking for the images in use: ${messageOf(error)}` });
      }
    }
    for (const memory of [this.#warmedAt, this.#told]) {
      [...memory.keys()].filter((key) => !this.#items.has(key)).forEach((key) => memory.delete(key));
    }
  }

  #startWork(signal: AbortSignal): void {
    while (this.#working.size < repositoriesAtOnce && !signal.aborted) {
      const key = this.#backlog.take((each) => !this.#working.has(each));
      const item = key === undefined ? undefined : this.#items.get(key);
      if (key === undefined) {
        return;
      }
      if (item !== undefined) {
        this.#working.set(key, this.#warm(key, item, signal));
      }
    }
  }

  async #warm(key: string, item: WarmItem, signal: AbortSignal): Promise<void> {
    const { clock, logger, onNewImages } = this.#options;
    const told = this.#told.get(key) ?? new ToldErrors();
    this.#told.set(key, told);
    this.#warmedAt.set(key, clock.now());
    try {
      if (await warmRepository(item, { ...this.#options, told }, signal)) {
        onNewImages();
      }
    } catch (error) {
      if (!signal.aborted) {
        logger.log({ canonical_name: key, err: messageOf(error) });
      }
    } finally {
      this.#working.delete(key);
      this.#wake.wake();
    }
  }
}
