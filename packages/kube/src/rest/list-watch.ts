import { type BackoffPolicy, backoffDelay, type Clock, Deadline, TimeoutError, toError } from "@weir/base";
import { KubeApiError } from "../api-status.ts";
import { LargeAnswerError } from "./body.ts";
import { isForgotten, type ListOptions, listAs, listRequest, type Take } from "./list.ts";
import { type ListWatchEvent, MalformedAnswerError, readWatchLine } from "./list-watch-event.ts";

/** What to list and watch. */
export interface ListWatchOptions extends ListOptions {
  readonly clock: Clock;
  /** Returns random numbers in [0, 1) for jitter. */
  readonly random?: () => number;
}

/**
 * The server is asked to end a watch after this time and up to twice as long, like in client-go, which
 * spreads its load.
 */
const watchSeconds = 300;
/** If the server hasn't ended a watch this long after its time, the watch is aborted. */
const watchGraceMs = 30_000;
/** A watch that lasted this long was successful: earlier failures no longer count. */
const goodWatchMs = 10_000;
/** A watch that ended sooner than this without an event counts as a failure. */
const shortWatchMs = 1_000;
const backoff: BackoffPolicy = { initialMs: 200, maxMs: 30_000, factor: 2, jitter: 0.5 };
const slowBackoff: BackoffPolicy = { initialMs: 30_000, maxMs: 600_000, factor: 2, jitter: 0.3 };

/**
 * Lists, then watches from where the list ended, indefinitely: a watch that ends or breaks resumes from the
 * last resource version; if the server no longer has that version (410), or sent something invalid, it starts
 * with a new list. Failures are reported and retried with increasing delays; only the signal, or the end of
 * the iteration, stops it.
 */
export function listWatch(options: ListWatchOptions): AsyncGenerator<ListWatchEvent, void, undefined> {
  return listWatchAs(options, (object) => object);
}

/** Lists and watches like `listWatch`, with what `take` returns for each object in place of the object. */
export function listWatchAs<T>(
  options: ListWatchOptions,
  take: Take<T>,
): AsyncGenerator<ListWatchEvent<T>, void, undefined> {
  return new ListWatch(options, take).events();
}

class ListWatch<T> {
  readonly #options: ListWatchOptions;
  readonly #take: Take<T>;
  /** The version to resume from; undefined if a list is needed first. Only the server can interpret it. */
  #version: string | undefined;
  /** Consecutive failures. */
  #failures = 0;

  constructor(options: ListWatchOptions, take: Take<T>) {
    this.#options = options;
    this.#take = take;
  }

  async *events(): AsyncGenerator<ListWatchEvent<T>, void, undefined> {
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

  async *#list(): AsyncGenerator<ListWatchEvent<T>, void, undefined> {
    yield { kind: "listing" };
    const list = await listAs(this.#options, this.#take);
    this.#version = list.resourceVersion;
    yield { kind: "listed", ...list };
  }

  async *#watch(): AsyncGenerator<ListWatchEvent<T>, void, undefined> {
    const { client, clock, resource, signal, random = Math.random } = this.#options;
    const seconds = Math.round(watchSeconds * (1 + random()));
    const query = {
      watch: "1",
      allowWatchBookmarks: "true",
      resourceVersion: this.#version ?? "",
      timeoutSeconds: String(seconds),
    };
    const limitMs = seconds * 1000 + watchGraceMs;
    const late = (): TimeoutError => new TimeoutError(`no complete response within ${limitMs / 1000} s`);
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
        yield { kind: line.kind, object: this.#take(line.object) };
      }
    }
    if (lines === 0 && clock.now() - began < shortWatchMs) {
      throw new EmptyWatchError(`the watch of ${resource.resource} ended as soon as it began`);
    }
  }
}

/** The server ended a watch immediately and without an event: retrying immediately would flood it. */
class EmptyWatchError extends Error {
  override readonly name = "EmptyWatchError";
}

/** True if a watch can resume from its last version. */
function keepsPlace(error: unknown, failures: number): boolean {
  if (error instanceof KubeApiError) {
    const { code } = error.status;
    // A server restored from a backup doesn't know our version, and responds with 504 to it forever.
    return !isForgotten(error) && (code === 429 || code >= 500) && failures < 4;
  }
  return !(error instanceof MalformedAnswerError || error instanceof LargeAnswerError);
}

/** True for errors that won't go away soon: forbidden, not served, not allowed. */
export function isRefused(error: unknown): boolean {
  return error instanceof KubeApiError && [403, 404, 405].includes(error.status.code);
}
