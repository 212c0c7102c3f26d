import { kubernetesLimits } from "../../base/limits.ts";
import type { Slots } from "./slots.ts";
import type { HttpResponse } from "./transport.ts";

/** A server sent more than any real one does. What it sent is not kept, and the rest is not read. */
export class LargeAnswerError extends Error {
  override readonly name = "LargeAnswerError";

  /** `request` is the method and the path, without a query. */
  constructor(server: string, request: string, what: string, most: number) {
    super(`${server} answered ${request} with ${what} of more than ${most} bytes, which is not read`);
  }
}

/** Who else reads large answers of the same server, and what ends waiting for them. */
export interface LargeAnswers {
  readonly slots: Slots;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The text of a body and whether that is all of it: of one of more than `most` bytes only the beginning is read. With
 * `large`, what is longer than usual is read on when there is a slot for it.
 */
export async function readText(
  response: Pick<HttpResponse, "body" | "discard">,
  most: number,
  large?: LargeAnswers,
): Promise<{ readonly text: () => string; readonly isWhole: boolean }> {
  const body = new BodyBytes(response.body);
  try {
    const usual = large === undefined ? most : Math.min(most, kubernetesLimits.usualAnswer);
    let isWhole = await body.readTo(usual);
    if (!isWhole && large !== undefined && body.length <= most) {
      isWhole = await large.slots.run(() => body.readTo(most), large.signal);
    }
    if (!isWhole) {
      response.discard();
    }
    // Put together only where somebody wants it: what is too large is mostly thrown away.
    return { text: () => body.text(most), isWhole };
  } catch (error) {
    response.discard();
    throw error;
  }
}

/** A body as far as it was read. */
class BodyBytes {
  readonly #source: AsyncIterator<Buffer>;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(body: AsyncIterable<Buffer>) {
    this.#source = body[Symbol.asyncIterator]();
  }

  get length(): number {
    return this.#length;
  }

  /** Reads until there are more bytes, which gives false, or until the end, which gives true. */
  async readTo(most: number): Promise<boolean> {
    while (this.#length <= most) {
      const next = await this.#source.next();
      if (next.done === true) {
        return true;
      }
      this.#chunks.push(next.value);
      this.#length += next.value.length;
    }
    return false;
  }

  text(most: number): string {
    return Buffer.concat(this.#chunks).subarray(0, most).toString("utf8");
  }
}
