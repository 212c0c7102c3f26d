import { type Clock, Deadline, orAborted } from "@weir/base";
import { FluxError } from "@weir/flux";
import { UnknownEndpointError } from "@weir/flux/api";
import type { InspectionClient } from "@weir/flux/client";
import { FatalError, RemoteError, UnavailableError } from "@weir/upstream-server";
import type { Hub } from "../daemons/hub.ts";
import type { ReachedDaemon } from "../daemons/ports.ts";
import { withoutCredentials } from "../daemons/snapshot.ts";
import { SilentConsoleError } from "../daemons/switchboard.ts";
import { Problem } from "../problem/problem.ts";

/** Which daemon to ask, and for how long. */
export interface Asked {
  readonly hub: Pick<Hub, "daemon">;
  readonly clock: Clock;
  readonly instanceId: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly timeLimit?: number;
}

/** Long enough for a daemon with many workloads, and not longer than people wait, in milliseconds. */
const usualTimeLimit = 30_000;

/** For a dry run of everything that a change or a sync does, in milliseconds. */
export const dryRunTimeLimit = 120_000;

/**
 * Asks a daemon, wherever it's connected. Rejects with a Problem if it isn't connected, is too slow, lacks what it's asked
 * for, refuses it, or gives an answer that can't be read.
 */
export async function askDaemon<T>(
  { hub, clock, instanceId, signal, timeLimit = usualTimeLimit }: Asked,
  question: (daemon: ReachedDaemon, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using deadline = new Deadline(clock, timeLimit, signal);
  try {
    const daemon = await hub.daemon(instanceId);
    return await orAborted(question(daemon, deadline.signal), deadline.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw deadline.expired ? tooSlow(timeLimit, error) : problemOf(error);
  }
}

/** Weir's additions of a daemon. Rejects with a Problem that says what needs them if it's a daemon of Flux v1. */
export async function requireInspection(
  daemon: ReachedDaemon,
  what: string,
  signal: AbortSignal,
): Promise<InspectionClient> {
  const inspection = await daemon.inspection(signal);
  if (inspection === undefined) {
    throw new Problem(
      "refused",
      `${what} needs Weir's fluxd; the daemon of this instance is one of Flux v1.`,
      {
        advice: "Replace it by Weir's fluxd, which takes the same flags and has this in every version.",
      },
    );
  }
  return inspection;
}

function tooSlow(timeLimit: number, cause: unknown): Problem {
  return new Problem("unavailable", `The daemon did not answer within ${timeLimit / 1000} seconds.`, {
    advice: "Try again. If it keeps happening, look at the daemon's log and its CPU limit.",
    retryAfter: 10,
    cause,
  });
}

const comesBack = {
  advice: "Try again in some seconds: the daemon connects to another console by itself.",
  retryAfter: 5,
};

const checkDaemon = {
  advice: "Check that fluxd runs, and that its --connect and --token are those of this instance.",
  retryAfter: 10,
};

/** What people are told; errors that aren't about the daemon stay as they are. */
export function problemOf(error: unknown): unknown {
  if (error instanceof UnavailableError) {
    const told = error instanceof SilentConsoleError ? comesBack : checkDaemon;
    return new Problem("unavailable", `The daemon can't be reached: ${error.message}.`, {
      ...told,
      cause: error,
    });
  }
  if (error instanceof FatalError) {
    return new Problem("unavailable", `The daemon gave no usable answer: ${shown(error.message)}.`, {
      advice: "Try again. If it keeps happening, look at the daemon's log, and upgrade it.",
      retryAfter: 10,
      cause: error,
    });
  }
  if (error instanceof UnknownEndpointError || lacksMethod(error)) {
    return tooOld("it doesn't know this operation", error);
  }
  if (error instanceof FluxError) {
    return isTooOld(error) ? tooOld(error.message, error) : refused(error.message, error.advice, error);
  }
  return error instanceof RemoteError ? refused(error.message, "", error) : error;
}

function refused(message: string, advice: string, cause: unknown): Problem {
  return new Problem("refused", `The daemon refused: ${shown(message)}.`, {
    advice: shown(advice) || "Look at the daemon's log.",
    cause,
  });
}

function tooOld(why: string, cause: unknown): Problem {
  return new Problem("refused", `The daemon is too old: ${shown(why)}.`, {
    advice: "Upgrade it: genuine Flux to 1.25.4, or to the version of Weir that this console has.",
    cause,
  });
}

/** How daemons, and the client of Flux v1, say so. */
function isTooOld({ message, advice }: FluxError): boolean {
  return (
    message.startsWith("Unsupported resource kind") ||
    advice.startsWith("Your Flux daemon needs to be upgraded")
  );
}

function lacksMethod(error: unknown): boolean {
  return error instanceof RemoteError && error.message.startsWith("rpc: can't find method ");
}

/** Daemons can send anything, and as much of it as they like. */
function shown(text: string): string {
  const safe = withoutCredentials(text).trim();
  return (safe.length > 1_000 ? `${safe.slice(0, 1_000)}…` : safe).replace(/\.$/, "");
}
