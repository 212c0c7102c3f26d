import { makeVisible } from "@weir/base";

/** What fluxd can be told not to do by itself. */
export const suspendable = ["sync", "automation"] as const;

/** "sync": everything that changes the cluster. "automation": automated image updates, which change git. */
export type Suspendable = (typeof suspendable)[number];

/** Something that fluxd doesn't do for now. */
export interface Suspension {
  readonly what: Suspendable;
  /** For people; "" if none was given. */
  readonly reason: string;
  /** Who suspended it; "" if not known. */
  readonly user: string;
  readonly since: Date;
  /** When it ends by itself; undefined for never. */
  readonly until?: Date;
}

/** A request to suspend something. With neither an end nor a duration, it's suspended until somebody resumes it. */
export interface SuspendRequest {
  /** At least one. */
  readonly what: readonly Suspendable[];
  readonly reason: string;
  readonly user: string;
  readonly until?: Date;
  /** From when the daemon receives the request, in whole seconds. */
  readonly seconds?: number;
}

/** A request to resume something. */
export interface ResumeRequest {
  readonly what: readonly Suspendable[];
  readonly user: string;
}

/** What is suspended after a request. */
export interface SuspensionReport {
  readonly suspensions: readonly Suspension[];
  /** What the request has resumed. */
  readonly ended: readonly Suspension[];
  /** Why the next fluxd won't know about this request, as a phrase; "" if it will. */
  readonly forgotten: string;
  /** True if a sync couldn't be stopped yet, because it waits for an answer of the API server. */
  readonly stillSyncing: boolean;
}

const names: Readonly<Record<Suspendable, string>> = {
  sync: "syncing",
  automation: "automated image updates",
};

/** "syncing", "automated image updates", or both. */
export function nameSuspended(what: readonly Suspendable[]): string {
  return suspendable
    .filter((each) => what.includes(each))
    .map((each) => names[each])
    .join(" and ");
}

/**
 * A sentence without a period for each group of suspensions that differ only in what is suspended, like "syncing is
 * suspended by Ann until 2020-01-02 03:04:05 UTC because: database migration". Safe for terminals.
 */
export function describeSuspensions(suspensions: readonly Suspension[]): readonly string[] {
  const groups = Map.groupBy(suspensions, howSuspended);
  return [...groups].map(([how, alike]) => {
    const what = alike.map((each) => each.what);
    const verb = what.includes("automation") ? "are" : "is";
    return `${nameSuspended(what)} ${verb} suspended${how}`;
  });
}

/** The one for what is suspended, or undefined. */
export function suspensionOf(what: Suspendable, suspensions: readonly Suspension[]): Suspension | undefined {
  return suspensions.find((each) => each.what === what);
}

function howSuspended({ user, until, reason }: Suspension): string {
  const by = user === "" ? "" : ` by ${makeVisible(user)}`;
  const end = until === undefined ? "" : ` until ${printMoment(until)}`;
  const because = reason === "" ? "" : ` because: ${oneLine(makeVisible(reason))}`;
  return `${by}${end}${because}`;
}

/** A moment for people, like "2020-01-02 03:04:05 UTC". */
export function printMoment(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
