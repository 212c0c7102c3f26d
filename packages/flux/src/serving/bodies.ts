/**
 * Reads request bodies as JSON: takes bytes from unknown callers, and returns values. Limits the memory of
 * all callers together, and the time of each.
 */
import type { IncomingMessage } from "node:http";
import { apiLimits, type Clock, excessOf, type JsonValue, Mutex, systemClock } from "@weir/base";
import { busyError } from "../errors/busy.ts";
import { BadRequestError, BodyTooLargeError, parseJson, readBody } from "./request.ts";

/**
 * The pause before a large body is parsed, in milliseconds: enough to answer all small requests that have
 * arrived.
 */
const breather = 20;

/** Reads bodies for one listener. */
export class Bodies {
  readonly #limits: typeof apiLimits;
  readonly #clock: Clock;
  readonly #turns = new Mutex();
  /** The size of bodies that aren't parsed yet, beyond the free allowance of each. */
  #held = 0;

  constructor(limits: typeof apiLimits = apiLimits, clock: Clock = systemClock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * The body of a request. Rejects with BodyTooLargeError, BadRequestError, or, if too many callers send
   * large bodies at the same time, a FluxError; in that case, nothing was done for the request.
   */
  async json(request: IncomingMessage, limit: number): Promise<JsonValue> {
    const share = new Share((bytes) => this.#hold(bytes), this.#limits.freeBody);
    try {
      const body = await readBody(request, limit, (bytes) => share.grow(bytes));
      return body.length > this.#limits.freeBody ? await this.#parseInTurn(body) : parseJson(body);
    } finally {
      share.giveBack();
    }
  }

  /** Parses large bodies one after the other, so that other work can run in between. */
  #parseInTurn(body: Buffer): Promise<JsonValue> {
    return this.#turns.run(async () => {
      await this.#clock.sleep(breather);
      this.#checkBulk(body);
      return parseJson(body);
    });
  }

  #checkBulk(body: Buffer): void {
    const { bodyDepth: depth, bodyValues: values } = this.#limits;
    switch (excessOf(body, { depth, values })) {
      case "depth":
        throw new BadRequestError(`the request body is nested more than ${depth} levels deep`);
      case "values":
        throw new BodyTooLargeError(`${values} values`);
      case undefined:
    }
  }

  #hold(bytes: number): void {
    if (this.#held + bytes > this.#limits.bodies) {
      throw busyError("too many large requests at once");
    }
    this.#held += bytes;
  }
}

/** The part of the shared memory that one body uses. */
class Share {
  readonly #hold: (bytes: number) => void;
  readonly #free: number;
  #size = 0;
  #held = 0;

  constructor(hold: (bytes: number) => void, free: number) {
    this.#hold = hold;
    this.#free = free;
  }

  /** Throws if there is no memory left. */
  grow(bytes: number): void {
    this.#size += bytes;
    const more = Math.max(0, this.#size - this.#free) - this.#held;
    this.#hold(more);
    this.#held += more;
  }

  giveBack(): void {
    this.#hold(-this.#held);
  }
}
