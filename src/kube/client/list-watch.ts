import { type BackoffPolicy, backoffDelay } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import { toError } from "../../base/errors.ts";
import { type ApiResource, resourcePath } from "../api-resource.ts";
import { KubeApiError } from "../api-status.ts";
import type { KubeObject } from "../object.ts";
import {
  type ListPage,
  type ListWatchEvent,
  MalformedAnswerError,
  readPage,
  readWatchLine,
} from "./list-watch-event.ts";
import type { RestClient, RestRequest } from "./rest.ts";
import { timeLimit } from "./time-limit.ts";

/** What is listed and watched. */
export interface ListWatchOptions {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly resource: ApiResource;
  /** "" for all namespaces, and for kinds that have none. */
  readonly namespace: string;
  readonly labelSelector?: string;
  /** Only the metadata of the objects is asked for. */
  readonly metadataOnly?: boolean;
  readonly signal: AbortSignal;
  /** Numbers from 0 up to 1, for jitter. */
  readonly random?: () => number;
}

/** Objects in one page of a list, as client-go. */
const pageSize = 500;
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
    const list = await this.#pages(pageSize).catch((error: unknown) => {
      // The pages of a list that takes long may be forgotten before it ends: then all of it at once.
      if (isForgotten(error)) {
        return this.#pages(undefined);
      }
      throw error;
    });
    this.#version = list.resourceVersion;
    yield { kind: "listed", objects: list.objects };
  }

  async #pages(limit: number | undefined): Promise<Omit<ListPage, "next">> {
    const pages: (readonly KubeObject[])[] = [];
    let next = "";
    for (;;) {
      const page = await this.#page(limit, next);
      pages.push(page.objects);
      if (page.next === "") {
        return { objects: pages.flat(), resourceVersion: page.resourceVersion };
      }
      next = page.next;
    }
  }

  async #page(limit: number | undefined, next: string): Promise<ListPage> {
    const { client, resource } = this.#options;
    const query = {
      ...(limit === undefined ? {} : { limit: String(limit) }),
      ...(next === "" ? {} : { continue: next }),
    };
    return readPage(await client.json(this.#request(query, "PartialObjectMetadataList")), resource);
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
    using limit = timeLimit(clock, seconds * 1000 + watchGraceMs, signal);
    const began = clock.now();
    const request = { ...this.#request(query, "PartialObjectMetadata"), signal: limit.signal };
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

  #request(query: Readonly<Record<string, string>>, form: string): RestRequest {
    const { resource, namespace, labelSelector, metadataOnly, signal } = this.#options;
    return {
      method: "GET",
      path: resourcePath(resource, namespace),
      query: labelSelector === undefined ? query : { ...query, labelSelector },
      ...(metadataOnly === true
        ? { accept: `application/json;as=${form};g=meta.k8s.io;v=v1,application/json` }
        : {}),
      signal,
    };
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
  return !(error instanceof MalformedAnswerError);
}

/** True for what will not be otherwise soon: forbidden, not served, not allowed. */
export function isRefused(error: unknown): boolean {
  return error instanceof KubeApiError && [403, 404, 405].includes(error.status.code);
}

/** True where the server no longer has what is asked for: 410 of a request, Expired in a watch. */
function isForgotten(error: unknown): boolean {
  return (
    error instanceof KubeApiError &&
    (error.status.code === 410 || ["Expired", "Gone"].includes(error.status.reason))
  );
}
