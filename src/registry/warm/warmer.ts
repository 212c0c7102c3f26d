/**
 * Keeps the cache warm: scans all repositories in use again and again, at least a minute apart. Takes the images of
 * workloads and notices about new images; writes records to the cache, and calls back if there are new images. Like
 * Flux v1's cache.Warmer, but scans several repositories at a time.
 */
import { Alarm, messageOf, Reported, Wake } from "@weir/base";
import { type ImageName, noCredentials, printImageName, type RegistryCredentials } from "@weir/flux";
import type { ImageSource } from "../image-source.ts";
import type { ScanMetrics } from "../metrics.ts";
import { Backlog, itemsOf, type WarmItem } from "./backlog.ts";
import { mergeNotices, type Notice, Notices } from "./notices.ts";
import { Settled } from "./settled.ts";
import { type WarmContext, warmRepository } from "./warm-repository.ts";

/** As Flux v1. */
const roundMs = 60_000;
/** The number of repositories to scan at a time. Requests to one host still obey its rate limit. */
const repositoriesAtOnce = 4;
/** The number of additional scans for notices, so that they don't wait for all other scans. */
const noticedAtOnce = 2;
/** Notices don't cause scans of a repository, or queries for the images in use, more often than this. */
const noticeGapMs = 1_000;

export class Warmer {
  readonly #options: WarmerOptions;
  readonly #stopped = new AbortController();
  readonly #wake = new Wake();
  readonly #alarm: Alarm;
  readonly #backlog = new Backlog();
  readonly #warmedAt = new Map<string, number>();
  readonly #told = new Map<string, Reported>();
  readonly #settled = new Map<string, Settled>();
  /** Whether the last scan of a repository failed. */
  readonly #failed = new Map<string, boolean>();
  readonly #working = new Map<string, Promise<void>>();
  readonly #notices = new Notices();
  readonly #noticeAlarm: Alarm;
  /** Notices whose repository is in the backlog. */
  readonly #heard = new Map<string, Notice>();
  #askedForNotice = Number.NEGATIVE_INFINITY;
  #items: ReadonlyMap<string, WarmItem> = new Map();
  #nextRound = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(options: WarmerOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock, () => this.#wake.wake());
    this.#noticeAlarm = new Alarm(options.clock, () => this.#wake.wake());
  }

  /** Starts the first round. */
  start(): void {
    this.#running = this.#run(this.#stopped.signal);
  }

  /** Stops all work. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error("the warmer is stopped"));
    await this.#running;
    this.#alarm.clear();
    this.#noticeAlarm.clear();
    await Promise.all(this.#working.values());
  }

  /** Resolves when nothing is left to do until the next round or notice. */
  async idle(): Promise<void> {
    await this.#wake.idle();
    while (this.#working.size > 0) {
      await Promise.all(this.#working.values());
      await this.#wake.idle();
    }
  }

  /**
   * Moves the repository of an image to the front, after a notice that it has something new, possibly with the tags.
   */
  prioritize(name: ImageName, tags: readonly string[] = []): void {
    this.#notices.add(name, tags, this.#options.clock.now());
    this.#wake.wake();
  }

  /**
   * The credentials for the registry of a repository, by the repository's canonical name: those of its last scan, or
   * else those for its next one.
   */
  async credentialsOf(repository: ImageName, signal: AbortSignal): Promise<RegistryCredentials> {
    const key = printImageName(repository);
    const known =
      this.#items.get(key) ?? itemsOf(await this.#options.images.imageCredentials(signal)).get(key);
    return known?.credentials ?? noCredentials;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#hearNotices(signal);
      await this.#beginRound(signal);
      this.#startWork(signal);
      await this.#wake.wait(signal).catch(() => undefined);
    }
    this.#options.logger.log({ stopping: "true" });
  }

  async #hearNotices(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const due = this.#notices.take(clock.now());
    const askedAt = await this.#lookForUnknown([...due.keys()], signal);
    for (const [key, notice] of due) {
      const isKnown = this.#items.has(key);
      const last = isKnown ? this.#warmedAt.get(key) : askedAt;
      if (last !== undefined && last + noticeGapMs > clock.now()) {
        this.#notices.putOff(notice, last + noticeGapMs);
      } else {
        this.#hear(key, notice, isKnown);
      }
    }
    const wait = this.#notices.wait(clock.now());
    if (wait !== undefined) {
      this.#noticeAlarm.set(wait);
    }
  }

  #hear(key: string, notice: Notice, isKnown: boolean): void {
    const { logger } = this.#options;
    const priority = printImageName(notice.name);
    if (notice.misses === 0) {
      logger.log({ priority });
    }
    if (isKnown) {
      this.#heard.set(key, mergeNotices(notice, this.#heard.get(key)));
      this.#backlog.jump(key);
    } else {
      logger.log({ priority, err: "no creds available" });
    }
  }

  /**
   * A name that wasn't in use a moment ago may belong to a new workload. If it's too early to query again, resolves to
   * the time of the last query, so that a sender of invented names can't keep the cluster busy.
   */
  async #lookForUnknown(keys: readonly string[], signal: AbortSignal): Promise<number | undefined> {
    const now = this.#options.clock.now();
    if (keys.every((key) => this.#items.has(key))) {
      return undefined;
    }
    if (now < this.#askedForNotice + noticeGapMs) {
      return this.#askedForNotice;
    }
    this.#askedForNotice = now;
    await this.#askForImages(signal);
    return undefined;
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

  /** If the images in use can't be listed, the previous list stays. */
  async #askForImages(signal: AbortSignal): Promise<void> {
    const { images, logger } = this.#options;
    try {
      this.#items = itemsOf(await images.imageCredentials(signal));
    } catch (error) {
      if (!signal.aborted) {
        logger.log({ err: `listing the images in use: ${messageOf(error)}` });
      }
    }
    for (const memory of [this.#warmedAt, this.#told, this.#settled, this.#failed, this.#heard]) {
      [...memory.keys()].filter((key) => !this.#items.has(key)).forEach((key) => memory.delete(key));
    }
    this.#measure();
  }

  #startWork(signal: AbortSignal): void {
    while (!signal.aborted) {
      const key = this.#backlog.take((each) => !this.#working.has(each) && this.#hasPlace(each));
      const item = key === undefined ? undefined : this.#items.get(key);
      if (key === undefined) {
        return;
      }
      if (item !== undefined) {
        this.#working.set(key, this.#warm(key, item, signal));
      }
    }
  }

  #hasPlace(key: string): boolean {
    return this.#working.size < repositoriesAtOnce + (this.#heard.has(key) ? noticedAtOnce : 0);
  }

  async #warm(key: string, item: WarmItem, signal: AbortSignal): Promise<void> {
    const { clock, logger, onNewImages } = this.#options;
    const told = this.#told.get(key) ?? new Reported();
    const notice = this.#heard.get(key);
    this.#heard.delete(key);
    this.#told.set(key, told);
    const settled = this.#settled.get(key) ?? new Settled();
    this.#settled.set(key, settled);
    this.#warmedAt.set(key, clock.now());
    try {
      const context = { ...this.#options, told, settled, noticed: notice?.tags ?? new Set() };
      const { news, unseen, failed } = await warmRepository(item, context, signal);
      this.#scanned(key, failed);
      if (news) {
        onNewImages();
      }
      if (notice !== undefined) {
        this.#notices.miss(notice, unseen, clock.now());
      }
    } catch (error) {
      if (!signal.aborted) {
        logger.log({ canonical_name: key, err: messageOf(error) });
        this.#scanned(key, true);
      }
    } finally {
      this.#working.delete(key);
      this.#wake.wake();
    }
  }

  #scanned(key: string, failed: boolean): void {
    this.#options.metrics.countScan(!failed);
    // The image may have gone out of use meanwhile.
    if (this.#items.has(key)) {
      this.#failed.set(key, failed);
    }
    this.#measure();
  }

  #measure(): void {
    const failed = [...this.#failed.values()].filter(Boolean).length;
    const scanned = this.#failed.size - failed;
    this.#options.metrics.setRepositories({ scanned, failed, waiting: this.#items.size - this.#failed.size });
  }
}

export interface WarmerOptions extends Omit<WarmContext, "told" | "settled" | "noticed"> {
  /** The images in use; queried in each round. */
  readonly images: ImageSource;
  /** Called if a repository has new images, so that somebody can check whether a workload wants one. */
  readonly onNewImages: () => void;
  readonly metrics: ScanMetrics;
}
