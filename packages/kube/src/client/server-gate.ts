import { type BackoffPolicy, backoffDelay, type Clock, orAborted } from "@weir/base";
import { ConnectionError } from "../rest/transport.ts";

/** Fast at first, for a server that is only restarted; later no caller waits for longer than a second. */
const backoff: BackoffPolicy = { initialMs: 100, maxMs: 800, factor: 2, jitter: 0.25 };

/**
 * Where all requests to one server pass. While it answers, the gate is open. After a connection was lost, it closes
 * for a while, which gets longer with each failure; then one request is let through, and the others share its fate:
 * they follow it if it is answered, and fail with it if it is not. So a server that is away is asked by one
 * connection at a time, however many watches wait for it.
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

  /** How many connections in a row were lost, or not made; those that are lost together count as one. */
  get failures(): number {
    return this.#failures;
  }

  /** Throws the ConnectionError of a server that is away, where it is too soon to ask it again. */
  throwIfClosed(): void {
    if (this.#failures > 0 && this.#clock.now() < this.#opensAt) {
      throw this.#notSent();
    }
  }

  /** Resolves when a request may be sent. Rejects with ConnectionError where one that went ahead was lost meanwhile. */
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

  /** To be told of each answer, whatever it says. */
  answered(): void {
    this.#failures = 0;
    this.#return()?.resolve(undefined);
  }

  /** To be told of each connection that was lost, or not made. Those that are lost together count as one. */
  lost({ reason }: ConnectionError): void {
    const now = this.#clock.now();
    if (this.#failures > 0 && now < this.#opensAt) {
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

  /** One that is not answered soon, or that nobody waits for any more, holds up no others. */
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
