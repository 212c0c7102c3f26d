/** Decides what is suspended; without I/O and without a clock. Times are in milliseconds. */

import { type JsonValue, messageOf } from "@weir/base";
import { FluxError } from "@weir/flux";
import {
  decodeSuspensions,
  encodeSuspensions,
  type ResumeRequest,
  type Suspendable,
  type SuspendRequest,
  type Suspension,
  suspendable,
} from "@weir/flux/api";

/** In characters, so that it fits into a line for people, and into the Secret. */
const longestText = 1_000;

/** Those that haven't ended. */
export function activeAt(now: number, suspensions: readonly Suspension[]): readonly Suspension[] {
  return suspensions.filter(({ until }) => until === undefined || until.getTime() > now);
}

/** After a request to suspend; what is suspended already gets the new reason and end. Throws FluxError. */
export function withSuspended(
  current: readonly Suspension[],
  request: SuspendRequest,
  now: number,
): readonly Suspension[] {
  const { reason, user } = request;
  if (reason.length > longestText || user.length > longestText) {
    throw refused(`the reason and the user must not be longer than ${longestText} characters`);
  }
  const until = endOf(request, now);
  return sorted([
    ...withoutThese(current, request.what),
    ...[...new Set(request.what)].map((what) => ({
      what,
      reason,
      user,
      since: current.find((each) => each.what === what)?.since ?? new Date(now),
      ...(until === undefined ? {} : { until }),
    })),
  ]);
}

/** After a request to resume. */
export function withResumed(
  current: readonly Suspension[],
  { what }: Pick<ResumeRequest, "what">,
): readonly Suspension[] {
  return sorted(withoutThese(current, what));
}

/** As it's stored; undefined if nothing is suspended. */
export function printSuspensions(suspensions: readonly Suspension[]): string | undefined {
  return suspensions.length === 0 ? undefined : JSON.stringify(encodeSuspensions(suspensions));
}

/**
 * Parses the stored text. If it can't be read, everything counts as suspended: somebody has written it, and a sync that
 * comes too late does less harm than one that nobody wants.
 */
export function parseSuspensions(text: string | undefined, now: number): readonly Suspension[] {
  if (text === undefined) {
    return [];
  }
  try {
    return decodeSuspensions(JSON.parse(text) as JsonValue);
  } catch (error) {
    const reason = `what is stored about suspensions can't be read (${messageOf(error).slice(0, longestText)})`;
    return suspendable.map((what) => ({ what, reason, user: "", since: new Date(now) }));
  }
}

function endOf({ until, seconds }: SuspendRequest, now: number): Date | undefined {
  if (until !== undefined && seconds !== undefined) {
    throw refused("name either an end or a duration, not both");
  }
  const end = seconds === undefined ? until : new Date(now + seconds * 1000);
  if (end !== undefined && Number.isNaN(end.getTime())) {
    throw refused("the duration is too long");
  }
  if (end !== undefined && end.getTime() <= now) {
    throw refused(`the end, ${end.toISOString()}, is in the past`);
  }
  return end;
}

function withoutThese(current: readonly Suspension[], what: readonly Suspendable[]): readonly Suspension[] {
  return current.filter((each) => !what.includes(each.what));
}

function sorted(suspensions: readonly Suspension[]): readonly Suspension[] {
  return suspendable.flatMap((what) => suspensions.filter((each) => each.what === what));
}

function refused(reason: string): FluxError {
  const message = `cannot suspend: ${reason}`;
  return new FluxError("user", message, `${message}\n`);
}
