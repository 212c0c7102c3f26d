import type { QueryClient } from "@tanstack/react-query";
import type { Change, ConsoleEvent } from "../../src/contract/events.ts";
import { apiRoot } from "./address.ts";
import type { RequestOf } from "./api.ts";
import { askAgain } from "./ask-again.ts";
import { type EventPages, withFreshEvents } from "./fresh-events.ts";
import { isStale, type Stale, staleAfter } from "./stale.ts";
import { sessionKey } from "./use-session-answer.ts";

/** How long changes are collected before answers are asked for again, in milliseconds. */
const collectFor = 100;

/** The least time between two rounds of asking again, in milliseconds. */
const pause = 500;

/** The same for events, which come with the stream: nothing is asked for to show them. */
const eventPause = 250;

/** How long a list of events may lack some that are further down, in milliseconds. */
const completePause = 5_000;

/**
 * How long after the stream first opens to ask for what may have changed before that, in milliseconds. Hardly anything
 * has, and the first screen is drawn sooner if it doesn't ask for everything twice at once.
 */
const firstPause = 1_000;

/** How long to wait before the stream is opened again, in milliseconds: doubled with each failure, up to the most. */
const firstDelay = 1_000;
const longestDelay = 20_000;

const types: readonly Change["type"][] = ["event", "instance", "workloads", "job", "reload"];

/** Whether changes arrive. */
export type LiveState = "connecting" | "live" | "down";

/** The stream of changes: keeps it open, and has stale answers asked for again. */
export class Live {
  readonly #queries: QueryClient;
  readonly #listeners = new Set<() => void>();
  #state: LiveState = "connecting";
  #source: EventSource | undefined;
  #failures = 0;
  #reopen: number | undefined;
  #wasOpen = false;
  #missed: number | undefined;
  #refresh: number | undefined;
  #lastRefresh = 0;
  #stale: Stale[] = [];
  #everything = false;
  #happened: ConsoleEvent[] = [];
  #show: number | undefined;
  #lastShow = 0;
  #complete: number | undefined;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** Opens the stream; the function that's returned ends it. */
  start(): () => void {
    this.#open();
    return () => this.#close();
  }

  /** For useSyncExternalStore. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** For useSyncExternalStore. */
  readonly state = (): LiveState => this.#state;

  #open(): void {
    const source = new EventSource(`${apiRoot}/stream`);
    this.#source = source;
    source.onopen = () => {
      // What changed before isn't sent: neither while it was down, nor after the page's first answers were read.
      if (this.#wasOpen) {
        this.#note(undefined);
      } else {
        this.#missed = window.setTimeout(() => this.#note(undefined), firstPause);
      }
      this.#wasOpen = true;
      this.#failures = 0;
      this.#become("live");
    };
    source.onerror = () => this.#failed(source);
    for (const type of types) {
      source.addEventListener(type, (message: MessageEvent<string>) =>
        this.#hear(JSON.parse(message.data) as Change),
      );
    }
  }

  #failed(source: EventSource): void {
    source.close();
    this.#become("down");
    // The session may have ended: then, this answer brings the login.
    void this.#queries.invalidateQueries({ queryKey: sessionKey });
    const delay = Math.min(firstDelay * 2 ** this.#failures, longestDelay);
    this.#failures += 1;
    window.clearTimeout(this.#reopen);
    this.#reopen = window.setTimeout(() => this.#open(), delay);
  }

  #hear(change: Change): void {
    if (change.type !== "event") {
      this.#note(staleAfter(change));
      return;
    }
    this.#happened.push(change.event);
    const wait = Math.max(0, this.#lastShow + eventPause - Date.now());
    this.#show ??= window.setTimeout(() => this.#showEvents(), wait);
  }

  /** A list that's being read may have been read before these events: it's read once more. */
  #showEvents(): void {
    const happened = this.#happened;
    this.#happened = [];
    this.#show = undefined;
    this.#lastShow = Date.now();
    for (const { queryKey, state } of this.#queries
      .getQueryCache()
      .findAll({ queryKey: ["events"], type: "active" })) {
      const list = state.data as EventPages | undefined;
      const { query = {} } = queryKey[1] as RequestOf<"events">;
      const fresh = list && withFreshEvents(list, query, happened);
      if (fresh !== undefined && fresh.list !== list) {
        this.#queries.setQueryData(queryKey, fresh.list);
      }
      if (fresh === undefined || fresh.missing === "all") {
        this.#note({ names: ["events"] });
      } else if (fresh.missing === "some" || state.fetchStatus === "fetching") {
        this.#complete ??= window.setTimeout(() => this.#completeEvents(), completePause);
      }
    }
    void this.#queries.invalidateQueries({ queryKey: ["events"], type: "inactive", refetchType: "none" });
  }

  #completeEvents(): void {
    this.#complete = undefined;
    askAgain(this.#queries, ({ queryKey }) => queryKey[0] === "events");
  }

  #note(stale: Stale | undefined): void {
    if (stale === undefined) {
      this.#everything = true;
    } else {
      this.#stale.push(stale);
    }
    const wait = Math.max(collectFor, this.#lastRefresh + pause - Date.now());
    this.#refresh ??= window.setTimeout(() => this.#askAgain(), wait);
  }

  #askAgain(): void {
    const [stale, everything] = [this.#stale, this.#everything];
    this.#stale = [];
    this.#everything = false;
    this.#refresh = undefined;
    this.#lastRefresh = Date.now();
    askAgain(this.#queries, ({ queryKey }) => everything || isStale(queryKey, stale));
  }

  #become(state: LiveState): void {
    this.#state = state;
    this.#listeners.forEach((listener) => listener());
  }

  #close(): void {
    for (const timer of [this.#reopen, this.#missed, this.#refresh, this.#show, this.#complete]) {
      window.clearTimeout(timer);
    }
    this.#refresh = undefined;
    this.#show = undefined;
    this.#complete = undefined;
    this.#source?.close();
    this.#state = "connecting";
  }
}
