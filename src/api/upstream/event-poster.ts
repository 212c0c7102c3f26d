import { type Clock, Deadline, stringifyGoJson, upstreamLimits } from "@weir/base";
import type { FluxEvent } from "../../event/event.ts";
import { encodeEvent } from "../../event/wire.ts";
import { isSuccess, refusalOf } from "../client/answer.ts";
import { RequestError } from "../client/errors.ts";
import { HttpSender } from "../client/http.ts";
import { authorization } from "./dial.ts";
import { safeUrl } from "./endpoints.ts";

/** Where events go, and as whom. */
export interface EventPosterOptions {
  readonly url: URL;
  readonly userAgent: string;
  /** "" for none. */
  readonly token: string;
  readonly clock: Clock;
}

/** How long the upstream may take to accept an event, in milliseconds. As Flux v1. */
const timeout = 10_000;

/** Posts events to an upstream over connections that it keeps. */
export class EventPoster {
  readonly #options: EventPosterOptions;
  // As Flux v1, no proxy is used for the upstream.
  readonly #sender = new HttpSender(
    {},
    { success: upstreamLimits.eventAnswer, refusal: upstreamLimits.eventAnswer },
  );

  constructor(options: EventPosterOptions) {
    this.#options = options;
  }

  /** Resolves when the upstream has the event. Rejects with RequestError, or with the FluxError that it sent. */
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
        ? new RequestError(`Post "${safeUrl(url)}": no answer within ${timeout / 1000} s`, { cause: error })
        : error;
    }
  }

  /** Gives the connections back. */
  close(): void {
    this.#sender.close();
  }

  #headers(): Readonly<Record<string, string>> {
    const { userAgent, token } = this.#options;
    return { Accept: "application/json", "User-Agent": userAgent, ...authorization(token) };
  }
}
