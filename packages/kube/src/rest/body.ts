import { kubernetesLimits } from "@weir/base";
import type { LargeAnswers } from "./large-answers.ts";
import type { HttpResponse } from "./transport.ts";

/** A response that exceeds the size limit. */
export interface LargeAnswer {
  readonly server: string;
  /** The method and the path, without the query. */
  readonly request: string;
  /** What was too large: "a body", "a line". */
  readonly what: string;
  /** The limit in bytes. */
  readonly most: number;
}

/** A server sent more than any real server does. The received data isn't kept, and the rest isn't read. */
export class LargeAnswerError extends Error {
  override readonly name = "LargeAnswerError";

  constructor({ server, request, what, most }: LargeAnswer) {
    super(`${server} responded to ${request} with ${what} larger than the limit of ${most} bytes`);
  }
}

/** Where to continue reading an unusually large body, and what ends the wait for it. */
export interface ReadOn {
  readonly largeAnswers: LargeAnswers;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The text of a body and whether it's complete: if a body has more than `most` bytes, only the beginning is
 * read. With `readOn`, an unusually large body is read when a slot is free.
 */
export async function readText(
  response: Pick<HttpResponse, "body" | "discard">,
  most: number,
  readOn?: ReadOn,
): Promise<{ readonly text: () => string; readonly size: number; readonly isWhole: boolean }> {
  const body = new BodyBytes(response.body);
  try {
    const read = async (limit: number): Promise<{ readonly isWhole: boolean }> => {
      const isWhole = await body.readTo(limit);
      if (!isWhole && limit === most) {
        response.discard();
      }
      return { isWhole };
    };
    const usual = readOn === undefined ? most : Math.min(most, kubernetesLimits.usualAnswer);
    let { isWhole } = await read(usual);
    if (!isWhole && readOn !== undefined && usual < most) {
      ({ isWhole } = await readOn.largeAnswers.readOn(() => read(most), readOn.signal));
    }
    // Joined only on request: bodies that are too large are mostly thrown away.
    return { text: () => body.text(most), size: body.size, isWhole };
  } catch (error) {
    response.discard();
    throw error;
  }
}

/** The part of a body that was read. */
class BodyBytes {
  readonly #source: AsyncIterator<Buffer>;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(body: AsyncIterable<Buffer>) {
    this.#source = body[Symbol.asyncIterator]();
  }

  get size(): number {
    return this.#length;
  }

  /** Reads until there are more bytes (returns false) or until the end (returns true). */
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
