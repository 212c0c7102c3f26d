import type { Clock } from "./clock.ts";
import { Deadline } from "./deadline.ts";
import { messageOf } from "./errors.ts";

/** The result of a check; a warning doesn't keep things from working. */
export type Verdict = "passed" | "warning" | "failed";

/** The result of checking one requirement or permission. */
export interface Finding {
  /** The subject of the check, in a word or two. */
  readonly subject: string;
  readonly verdict: Verdict;
  /** One sentence, for people. */
  readonly found: string;
  /** The remedy; "" if there's nothing to do, or no known remedy. */
  readonly advice: string;
}

/** A check; rejects if it can't be done. */
export interface Checkup {
  /** Same as in the findings. */
  readonly subject: string;
  readonly look: (signal: AbortSignal) => Promise<readonly Finding[]>;
}

/** Everything is fine. */
export function passed(subject: string, found: string): Finding {
  return { subject, verdict: "passed", found, advice: "" };
}

/** It works, but there's something to know. */
export function warning(subject: string, found: string, advice: string): Finding {
  return { subject, verdict: "warning", found, advice };
}

/** It doesn't work. */
export function failed(subject: string, found: string, advice: string): Finding {
  return { subject, verdict: "failed", found, advice };
}

/** The time limit for all checks together. */
export interface CheckupLimit {
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/**
 * Runs all checks at the same time, for at most `timeoutMs`; a check that can't be done also gives a finding. Findings
 * are in the order of the checks. Rejects if `signal` is aborted.
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
        return [failed(subject, `cannot check this: ${messageOf(error)}`, "")];
      }),
    ),
  );
  return findings.flat();
}
