import { type BackoffPolicy, backoffDelay } from "@weir/base";

/** What a service made of a message. Reasons are for people and contain no secrets. */
export type Outcome =
  | { readonly kind: "delivered"; readonly answer: string }
  /** Trying again can help, but not before `afterMs` milliseconds; 0 if the service didn't say when. */
  | { readonly kind: "unavailable"; readonly reason: string; readonly afterMs: number }
  /** Trying again can't help. */
  | { readonly kind: "refused"; readonly reason: string };

/** What follows for the message and its channel. Times are in milliseconds since the epoch. */
export interface NextStep {
  readonly state: "sent" | "pending" | "failed";
  /** What the service answered, or why the message wasn't delivered. */
  readonly result: string;
  /** True if the service could not be reached, or doesn't want anything now. */
  readonly unavailable: boolean;
  /** When the channel may be used again; undefined for now. */
  readonly retryAt: number | undefined;
}

/** What is known about a message when it has been tried. */
export interface Attempt {
  readonly outcome: Outcome;
  /** How often the channel has been unavailable in a row, this time included. */
  readonly failures: number;
  /** When the message was due. */
  readonly since: number;
  readonly now: number;
}

/** A message that can't be delivered for this long isn't news anymore. In milliseconds. */
const giveUpAfterMs = 24 * 60 * 60 * 1000;

/** No service means it if it asks for more. */
const longestWaitMs = giveUpAfterMs;

const backoff: BackoffPolicy = { initialMs: 5_000, maxMs: 15 * 60 * 1000, factor: 2, jitter: 0.5 };

/** Decides whether to send a message again, and when. `random` returns numbers from 0 up to 1. */
export function nextStep({ outcome, failures, since, now }: Attempt, random: () => number): NextStep {
  switch (outcome.kind) {
    case "delivered":
      return { state: "sent", result: outcome.answer, unavailable: false, retryAt: undefined };
    case "refused":
      return { state: "failed", result: outcome.reason, unavailable: false, retryAt: undefined };
    case "unavailable": {
      const { reason, afterMs } = outcome;
      const retryAt =
        now + Math.max(backoffDelay(backoff, failures, random), Math.min(afterMs, longestWaitMs));
      return retryAt - since > giveUpAfterMs
        ? { state: "failed", result: `${reason}; given up after a day`, unavailable: true, retryAt }
        : { state: "pending", result: reason, unavailable: true, retryAt };
    }
  }
}
