import { kubernetesLimits } from "@weir/base";
import type { LargeAnswers } from "./large-answers.ts";
import type { HttpResponse } from "./transport.ts";

/** An answer of which more came than is read. */
export interface LargeAnswer {
  readonly server: string;
  /** The method and the path, without a query. */
  readonly request: string;
  /** What was too large: "a body", "a line". */
  readonly what: string;
  /** The limit, in bytes. */
  readonly most: number;
}

/** A server sent more than any real one does. What it sent is not kept, and the rest is not read. */
export class LargeAnswerError extends Error {
  override readonly name = "LargeAnswerError";

  constructor({ server, request, what, most }: LargeAnswer) {
    super(`${server} answered ${request} with ${what} of more than ${most} bytes, which is not read`);
  }
}

/** Where a body that is longer than usual is read on, and what ends waiting for that. */
export interface ReadOn {
  readonly largeAnswers: LargeAnswers;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The text of a body and whether that is all of it: of one of more than `most` bytes only the beginning is read. With
 * `readOn`, what is longer than usual is read on when there is a place for it.
 */
export async function readText(
  response: Pick<HttpResponse, "body" | "discard">,
  most: number,
  readOn?: ReadOn,
): Promise<{ readonly text: () => string; readonly isWhole: boolean }> {
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
