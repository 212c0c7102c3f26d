import type { InfiniteData } from "@tanstack/react-query";
import type { ConsoleEvent } from "../../src/contract/events.ts";
import type { SentQuery } from "../../src/contract/schemas.ts";

/** A page of events as it was answered. */
interface EventPage {
  readonly rows: readonly ConsoleEvent[];
  readonly next: string | null;
}

/** What was read of a list of events, newest first. */
export type EventPages = InfiniteData<EventPage>;

/** A list with what has just happened. */
export interface FreshEvents {
  readonly list: EventPages;
  /** What isn't in it, and has to be asked for. */
  readonly missing: "nothing" | "some" | "all";
}

/** How many rows a first page may grow to; if nothing follows it, it's cut there. */
const mostRows = 200;

/**
 * Adds what has just happened to a list of events, if it belongs there: sooner than asking for the list again, and without
 * asking for what's further down.
 */
export function withFreshEvents(
  list: EventPages,
  query: SentQuery<"events">,
  happened: readonly ConsoleEvent[],
): FreshEvents {
  const [first, ...others] = list.pages;
  if (first === undefined || !isSimple(query)) {
    return { list, missing: "all" };
  }
  const known = new Set(list.pages.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const matching = happened.filter((event) => !known.has(event.id) && matches(event, query));
  const last = first.next === null ? undefined : first.rows.at(-1);
  const added = matching.filter((event) => last === undefined || isNewer(event, last));
  const rows = [...added, ...first.rows].toSorted((a, b) => (isNewer(a, b) ? -1 : 1));
  const isTooLong = rows.length > mostRows;
  if (added.length === 0 || (isTooLong && others.length > 0)) {
    return { list, missing: matching.length === 0 ? "nothing" : "some" };
  }
  const page = { ...first, rows: isTooLong ? rows.slice(0, mostRows) : rows };
  return {
    list: { ...list, pages: [page, ...others] },
    missing: isTooLong || added.length < matching.length ? "some" : "nothing",
  };
}

/** Only the console knows what a search finds. */
function isSimple({ q = "", sort = "-at" }: SentQuery<"events">): boolean {
  return q.trim() === "" && sort === "-at";
}

function matches(event: ConsoleEvent, query: SentQuery<"events">): boolean {
  const { instance, type, severity, namespace, workload, since, until } = query;
  const at = Date.parse(event.at);
  return (
    isAmong([event.instance.id], instance) &&
    isAmong([event.type], type) &&
    isAmong([event.severity], severity) &&
    isAmong(event.namespaces, namespace) &&
    isAmong(event.workloads, workload) &&
    (since === undefined || at >= Date.parse(since)) &&
    (until === undefined || at < Date.parse(until))
  );
}

function isAmong(values: readonly string[], wanted: string | readonly string[] | undefined): boolean {
  return wanted === undefined || [wanted].flat().some((each) => values.includes(each));
}

function isNewer(a: ConsoleEvent, b: ConsoleEvent): boolean {
  const difference = Date.parse(a.at) - Date.parse(b.at);
  return difference === 0 ? a.id > b.id : difference > 0;
}
