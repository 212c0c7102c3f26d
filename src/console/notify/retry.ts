import { type BackoffPolicy, backoffDelay, printDuration } from "@weir/base";

/** What a service made of a message. Reasons are for people and contain no secrets. */
export type Outcome =
  | { readonly kind: "delivered"; readonly answer: string }
  /** Trying again can help, but not before `afterMs` milliseconds; 0 if the service didn't say when. */
  | { readonly kind: "unavailable"; readonly reason: string; readonly afterMs: number }
  /** Trying again can't help. */
  | { readonly kind: "refused"; readonly reason: string };

/** What follows for the message and its channel. Times are in milliseconds since the epoch. */
export type NextStep =
  | { readonly kind: "sent" }
  | { readonly kind: "retry"; readonly at: number; readonly reason: string }
  | { readonly kind: "given-up"; readonly reason: string };

/** What is known about a message when it has been tried. */
export interface Attempt {
  readonly outcome: Outcome;
  /** How often the channel has been unavailable in a row, this time included. */
  readonly failures: number;
  /** When the oldest event of the message happened for the console. */
  readonly since: number;
  readonly now: number;
}

/** A message that can't be delivered for this long isn't news anymore. In milliseconds. */
const giveUpAfterMs = 24 * 60 * 60 * 1000;

const backoff: BackoffPolicy = { initialMs: 5_000, maxMs: 15 * 60 * 1000, factor: 2, jitter: 0.5 };

/** Decides whether to send a message again, and when. `random` returns numbers from 0 up to 1. */
export function nextStep({ outcome, failures, since, now }: Attempt, random: () => number): NextStep {
  switch (outcome.kind) {
    case "delivered":
      return { kind: "sent" };
    case "refused":
      return { kind: "given-up", reason: outcome.reason };
    case "unavailable": {
      const at = now + Math.max(backoffDelay(backoff, failures, random), outcome.afterMs);
      return at - since > giveUpAfterMs
        ? { kind: "given-up", reason: `${outcome.reason}; gave up after ${printDuration(giveUpAfterMs)}` }
        : { kind: "retry", at, reason: outcome.reason };
    }
  }
}
