import { listSome } from "./cut.ts";
import { type NotableEvent, type Severity, worstOf } from "./event.ts";

/** A URL that the console made itself. It isn't escaped like text, so that templates can link to it. */
export class Link {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }
}

/** What a template can show of an event. */
interface EventView {
  readonly instance: string;
  readonly type: string;
  readonly severity: Severity;
  readonly message: string;
  readonly revision: string;
  readonly shortRevision: string;
  /** Such as "2024-05-01 12:30:00 UTC". */
  readonly time: string;
  /** undefined, so that sections see that there is none, if the console doesn't know its own address. */
  readonly link: Link | undefined;
  readonly namespaceNames: string;
  readonly workloadNames: string;
}

/** What a template can show: the newest event, and what is true of all events in the message. */
export interface View extends EventView {
  /** How many events the message is about, how many besides the newest, and how many that `events` leaves out. */
  readonly count: number;
  readonly more: number;
  readonly omitted: number;
  /** The newest ones, oldest first. */
  readonly events: readonly EventView[];
  readonly namespaces: readonly string[];
  readonly workloads: readonly string[];
}

export const listNames: ReadonlySet<string> = new Set<keyof View>(["events", "namespaces", "workloads"]);

export const valueNames: ReadonlySet<string> = new Set<keyof View>([
  "instance",
  "type",
  "severity",
  "message",
  "revision",
  "shortRevision",
  "time",
  "link",
  "namespaceNames",
  "workloadNames",
  "count",
  "more",
  "omitted",
]);

const maxEvents = 10;
const maxListed = 20;
const maxNamed = 5;

/** The view of a message about these events, oldest first, of which there is at least one. */
export function viewOf(events: readonly [NotableEvent, ...NotableEvent[]]): View {
  const newest = events.at(-1) ?? events[0];
  const namespaces = unique(events.flatMap((event) => event.namespaces));
  const workloads = unique(events.flatMap((event) => event.workloads));
  return {
    ...eventView(newest),
    severity: worstOf(events.map(({ severity }) => severity)),
    namespaceNames: listSome(namespaces, maxNamed),
    workloadNames: listSome(workloads, maxNamed),
    count: events.length,
    more: events.length - 1,
    omitted: Math.max(0, events.length - maxEvents),
    events: events.slice(-maxEvents).map(eventView),
    namespaces: namespaces.slice(0, maxListed),
    workloads: workloads.slice(0, maxListed),
  };
}

function eventView(event: NotableEvent): EventView {
  return {
    instance: event.instance.name,
    type: event.type,
    severity: event.severity,
    message: event.message,
    revision: event.revision,
    shortRevision: event.revision.slice(0, 7),
    time: printTime(event.at),
    link: event.link === "" ? undefined : new Link(event.link),
    namespaceNames: listSome(event.namespaces, maxNamed),
    workloadNames: listSome(event.workloads, maxNamed),
  };
}

/** Readers are in different time zones. */
function printTime(at: Date): string {
  return at.toISOString().replace(/^(.*)T(.*)\.\d+Z$/, "$1 $2 UTC");
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}
