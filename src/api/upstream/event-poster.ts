import { type Clock, Deadline, stringifyGoJson, upstreamLimits } from "@weir/base";
import { encodeEvent, type FluxEvent } from "@weir/flux";
import { HttpSender, isSuccess, RequestError, refusalOf } from "@weir/flux/client";
import { authorization } from "./dial.ts";
import { safeUrl } from "./endpoints.ts";

/** Where to send events, and the credentials. */
export interface EventPosterOptions {
  readonly url: URL;
  readonly userAgent: string;
  /** "" for none. */
  readonly token: string;
  readonly clock: Clock;
}

/** The time limit for the upstream to accept an event, in milliseconds. As Flux v1. */
const timeout = 10_000;

/** Posts events to an upstream over persistent connections. */
export class EventPoster {
  readonly #options: EventPosterOptions;
  // As Flux v1, connections to the upstream don't use a proxy.
  readonly #sender = new HttpSender(
    {},
    { success: upstreamLimits.eventAnswer, refusal: upstreamLimits.eventAnswer },
  );

  constructor(options: EventPosterOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the upstream has accepted the event. Rejects with RequestError, or with the FluxError that
   * the upstream sent.
   */
  async post(event: FluxEvent, signal: AbortSignal): Promise<void> {
    const { url, clock } = this.#options;
    const body = stringifyGoJson(encodeEvent(event), { sortKeys: false });
    using deadline = new Deadline(clock, timeout, signal);
    try {
      const answer = await this.#sender.send(
        { method: "POST", url, headers: this.#headers(), body },
        deadline.signal,
      );
      if (!isSuccess(answer)) {
        throw refusalOf(answer);
      }
    } catch (error) {
      throw deadline.expired
        ? new RequestError(`Post "${safeUrl(url)}": no response within ${timeout / 1000} s`, { cause: error })
        : error;
    }
  }

  /** Closes the connections. */
  close(): void {
    this.#sender.close();
  }

  #headers(): Readonly<Record<string, string>> {
    const { userAgent, token } = this.#options;
    return { Accept: "application/json", "User-Agent": userAgent, ...authorization(token) };
  }
}
