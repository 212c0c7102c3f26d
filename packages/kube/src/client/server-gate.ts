import { type BackoffPolicy, backoffDelay, type Clock, orAborted } from "@weir/base";
import { ConnectionError } from "../rest/transport.ts";

/** Fast at first, for a server that is just restarting; later, no caller waits longer than a second. */
const backoff: BackoffPolicy = { initialMs: 100, maxMs: 800, factor: 2, jitter: 0.25 };

/**
 * All requests to one server pass through its gate. While the server responds, the gate is open. After a lost
 * connection, it closes for a time that grows with each failure; then one request is let through, and the
 * others share its outcome: they follow if it succeeds, and fail if it fails. So an unreachable server gets
 * one connection attempt at a time, no matter how many watches wait for it.
 */
export class ServerGate {
  readonly #server: string;
  readonly #clock: Clock;
  readonly #random: (() => number) | undefined;
  #failures = 0;
  #opensAt = 0;
  #reason = "";
  #scout: PromiseWithResolvers<undefined> | undefined;

  constructor(server: string, clock: Clock, random?: () => number) {
    this.#server = server;
    this.#clock = clock;
    this.#random = random;
  }

  /** How many connections in a row were lost or couldn't be established; simultaneous losses count as one. */
  get failures(): number {
    return this.#failures;
  }

  /** Throws the ConnectionError of an unreachable server if it's too soon to try again. */
  throwIfClosed(): void {
    if (this.#failures > 0 && this.#clock.now() < this.#opensAt) {
      throw this.#notSent();
    }
  }

  /**
   * Resolves when a request can be sent. Rejects with ConnectionError if the request that went first has
   * failed in the meantime.
   */
  async pass(signal?: AbortSignal): Promise<void> {
    const failures = this.#failures;
    const waitMs = this.#opensAt - this.#clock.now();
    if (failures > 0 && waitMs > 0) {
      await this.#clock.sleep(Math.min(waitMs, backoff.maxMs), signal);
    }
    if (this.#failures === 0) {
      return;
    }
    if (this.#failures !== failures) {
      throw this.#notSent();
    }
    if (this.#scout === undefined) {
      this.#send();
    } else {
      await orAborted(this.#scout.promise, signal);
    }
  }

  /** Call this for each response, whatever its status. */
  answered(): void {
    this.#failures = 0;
    this.#return()?.resolve(undefined);
  }

  /**
   * Call this for each connection that was lost or couldn't be established. Simultaneous losses count as one.
   */
  lost({ reason }: ConnectionError): void {
    const now = this.#clock.now();
    // A timer can fire a little early: the loss of a scout counts even then, because others wait for it.
    if (this.#failures > 0 && now < this.#opensAt && this.#scout === undefined) {
      return;
    }
    this.#failures += 1;
    this.#opensAt = now + backoffDelay(backoff, this.#failures, this.#random);
    this.#reason = reason;
    this.#return()?.reject(this.#notSent());
  }

  #notSent(): ConnectionError {
    return new ConnectionError({ server: this.#server, sent: false, reason: this.#reason });
  }

  /** A request without a prompt response, or one that nobody waits for anymore, doesn't block the others. */
  #send(): void {
    const scout = Promise.withResolvers<undefined>();
    const returned = new AbortController();
    scout.promise.catch(() => undefined).finally(() => returned.abort());
    this.#clock.sleep(backoff.maxMs, returned.signal).then(
      () => {
        scout.resolve(undefined);
        this.#scout = this.#scout === scout ? undefined : this.#scout;
      },
      () => undefined,
    );
    this.#scout = scout;
  }

  #return(): PromiseWithResolvers<undefined> | undefined {
    const scout = this.#scout;
    this.#scout = undefined;
    return scout;
  }
}
