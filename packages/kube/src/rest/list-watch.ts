import { type BackoffPolicy, backoffDelay, type Clock, Deadline, TimeoutError, toError } from "@weir/base";
import { KubeApiError } from "../api-status.ts";
import { LargeAnswerError } from "./body.ts";
import { isForgotten, type ListOptions, listObjects, listRequest } from "./list.ts";
import { type ListWatchEvent, MalformedAnswerError, readWatchLine } from "./list-watch-event.ts";

/** What is listed and watched. */
export interface ListWatchOptions extends ListOptions {
  readonly clock: Clock;
  /** Numbers from 0 up to 1, for jitter. */
  readonly random?: () => number;
}

/** The server is asked to end a watch after this time and up to as much again, as client-go: it spreads its load. */
const watchSeconds = 300;
/** A watch that the server has not ended so long after its time is given up. */
const watchGraceMs = 30_000;
/** A watch that lived so long was a good one: failures before it do not count any more. */
const goodWatchMs = 10_000;
/** One that ended sooner than this and told nothing was none. */
const shortWatchMs = 1_000;
const backoff: BackoffPolicy = { initialMs: 200, maxMs: 30_000, factor: 2, jitter: 0.5 };
const slowBackoff: BackoffPolicy = { initialMs: 30_000, maxMs: 600_000, factor: 2, jitter: 0.3 };

/**
 * Lists, then watches from where the list ended, for ever: a watch that ends or breaks off goes on from the last
 * resource version, one that the server has forgotten (410) begins with a new list, and so does one that sent
 * what cannot be understood. What fails is told and tried again, ever more slowly; only the signal, or whoever
 * stops to iterate, ends it.
 */
export function listWatch(options: ListWatchOptions): AsyncGenerator<ListWatchEvent, void, undefined> {
  return new ListWatch(options).events();
}

class ListWatch {
  readonly #options: ListWatchOptions;
  /** Where to go on watching; undefined where a list is needed first. Only the server can read it. */
  #version: string | undefined;
  /** Failures in a row. */
  #failures = 0;

  constructor(options: ListWatchOptions) {
    this.#options = options;
  }

  async *events(): AsyncGenerator<ListWatchEvent, void, undefined> {
    const { clock, signal, random } = this.#options;
    while (!this.#isOver()) {
      const began = clock.now();
      try {
        if (this.#version === undefined) {
          yield* this.#list();
        }
        yield* this.#watch();
        this.#failures = 0;
      } catch (error) {
        if (this.#isOver()) {
          return;
        }
        this.#failures = clock.now() - began < goodWatchMs ? this.#failures + 1 : 1;
        this.#version = keepsPlace(error, this.#failures) ? this.#version : undefined;
        const waitMs = backoffDelay(isRefused(error) ? slowBackoff : backoff, this.#failures, random);
        yield { kind: "failed", error: toError(error), waitMs };
        await clock.sleep(waitMs, signal).catch(() => undefined);
      }
    }
  }

  #isOver(): boolean {
    return this.#options.signal.aborted;
  }

  async *#list(): AsyncGenerator<ListWatchEvent, void, undefined> {
    yield { kind: "listing" };
    const list = await listObjects(this.#options);
    this.#version = list.resourceVersion;
    yield { kind: "listed", objects: list.objects };
  }

  async *#watch(): AsyncGenerator<ListWatchEvent, void, undefined> {
    const { client, clock, resource, signal, random = Math.random } = this.#options;
    const seconds = Math.round(watchSeconds * (1 + random()));
    const query = {
      watch: "1",
      allowWatchBookmarks: "true",
      resourceVersion: this.#version ?? "",
      timeoutSeconds: String(seconds),
    };
    const limitMs = seconds * 1000 + watchGraceMs;
    const late = (): TimeoutError => new TimeoutError(`it takes longer than ${limitMs / 1000} s`);
    using limit = new Deadline(clock, limitMs, signal, late);
    const began = clock.now();
    const request = { ...listRequest(this.#options, query, "PartialObjectMetadata"), signal: limit.signal };
    let lines = 0;
    for await (const text of client.lines(request)) {
      const line = readWatchLine(text, resource);
      if (line.kind === "error") {
        throw line.error;
      }
      lines += 1;
      this.#version = line.resourceVersion;
      if (line.kind !== "bookmark") {
        yield { kind: line.kind, object: line.object };
      }
    }
    if (lines === 0 && clock.now() - began < shortWatchMs) {
      throw new EmptyWatchError(`the watch of ${resource.resource} ended as soon as it began`);
    }
  }
}

/** The server ended a watch at once and without a word: asking again at once would be a storm. */
class EmptyWatchError extends Error {
  override readonly name = "EmptyWatchError";
}

/** True where a watch can go on from where it was. */
function keepsPlace(error: unknown, failures: number): boolean {
  if (error instanceof KubeApiError) {
    const { code } = error.status;
    // A server restored from a backup does not know our place, and says 504 to it for ever.
    return !isForgotten(error) && (code === 429 || code >= 500) && failures < 4;
  }
  return !(error instanceof MalformedAnswerError || error instanceof LargeAnswerError);
}

/** True for what will not be otherwise soon: forbidden, not served, not allowed. */
export function isRefused(error: unknown): boolean {
  return error instanceof KubeApiError && [403, 404, 405].includes(error.status.code);
}
