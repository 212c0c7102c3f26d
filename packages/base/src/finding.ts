import type { Clock } from "./clock.ts";
import { Deadline } from "./deadline.ts";
import { messageOf } from "./errors.ts";

/** How it stands with something that was looked at; a warning is nothing that keeps it from working. */
export type Verdict = "passed" | "warning" | "failed";

/** What was found of one thing that has to be there, or to be permitted. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly subject: string;
  readonly verdict: Verdict;
  /** In one sentence, for people. */
  readonly found: string;
  /** What to do; "" where there is nothing to be done, or nothing known. */
  readonly advice: string;
}

/** Looks at something; rejects where it could not be looked at. */
export interface Checkup {
  /** As in the findings. */
  readonly subject: string;
  readonly look: (signal: AbortSignal) => Promise<readonly Finding[]>;
}

/** All is well. */
export function passed(subject: string, found: string): Finding {
  return { subject, verdict: "passed", found, advice: "" };
}

/** It works, but there is something that one should know. */
export function warning(subject: string, found: string, advice: string): Finding {
  return { subject, verdict: "warning", found, advice };
}

/** It does not work. */
export function failed(subject: string, found: string, advice: string): Finding {
  return { subject, verdict: "failed", found, advice };
}

/** How long looking may take. */
export interface CheckupLimit {
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/**
 * Looks at everything at once, in `timeoutMs` at the most; what could not be looked at is a finding, too. In the
 * order of the checkups. Rejects where `signal` is aborted.
 */
export async function runCheckups(
  checkups: readonly Checkup[],
  { clock, timeoutMs }: CheckupLimit,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  using limit = new Deadline(clock, timeoutMs, signal);
  const findings = await Promise.all(
    checkups.map(({ subject, look }) =>
      look(limit.signal).catch((error: unknown) => {
        signal.throwIfAborted();
        return [failed(subject, `cannot be looked at: ${messageOf(error)}`, "")];
      }),
    ),
  );
  return findings.flat();
}
