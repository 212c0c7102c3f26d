import type { HttpResponse } from "./transport.ts";

/** A server sent more than any real one does. What it sent is not kept, and the rest is not read. */
export class LargeAnswerError extends Error {
  override readonly name = "LargeAnswerError";

  /** `request` is the method and the path, without a query. */
  constructor(server: string, request: string, what: string, most: number) {
    super(`${server} answered ${request} with ${what} of more than ${most} bytes, which is not read`);
  }
}

/** The text of a body and whether that is all of it: of one of more than `most` bytes only the beginning is read. */
export async function readText(
  response: Pick<HttpResponse, "body" | "discard">,
  most: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) {
      response.discard();
      break;
    }
  }
  const bytes = Buffer.concat(chunks);
  return { text: bytes.subarray(0, most).toString("utf8"), isWhole: length <= most };
}
