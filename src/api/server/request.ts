import type { IncomingMessage } from "node:http";
import type { JsonValue } from "@weir/base";

/** What a handler is given: the query, the body, and a signal that ends with the client. */
export interface ApiRequest {
  readonly query: URLSearchParams;
  /**
   * The body as JSON; `limit` is its size in bytes, as much as any body may have where it is left out. Rejects with
   * BadRequestError where it is none, BodyTooLargeError, or a FluxError where fluxd is busy.
   */
  json(limit?: number): Promise<JsonValue>;
  readonly signal: AbortSignal;
}

/** What a handler answers: a status without a body, or 200 with JSON. */
export type Answer = { readonly status: 202 | 204 } | { readonly status: 200; readonly json: JsonValue };

/** Answers one route of what `Server` can be asked; what it throws is answered by error-response.ts. */
export type Handler<Server> = (server: Server, request: ApiRequest) => Promise<Answer>;

/** An answer with a value. */
export function json(value: JsonValue): Answer {
  return { status: 200, json: value };
}

/** The request could not be read (400). */
export class BadRequestError extends Error {
  override readonly name = "BadRequestError";
}

/** The body is larger than any request needs (413). */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";

  /** `limit` is what a body may have, e.g. "100 bytes". */
  constructor(limit: string) {
    super(`the request body is larger than ${limit}`);
  }
}

/** A body as JSON, with nothing behind the value. Throws BadRequestError. */
export function parseJson(body: Buffer): JsonValue {
  try {
    return JSON.parse(body.toString("utf8")) as JsonValue;
  } catch (error) {
    throw new BadRequestError(`the request body is not JSON: ${String(error)}`, { cause: error });
  }
}

/**
 * Reads the whole body of a request, of up to `limit` bytes; `onBytes` is told of each piece before it is kept, and may
 * throw. Rejects with BodyTooLargeError where it is longer.
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    throw new BodyTooLargeError(`${limit} bytes`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // What is left of a body that is too large is not to take the connection, and with it the answer, away.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) {
      throw new BodyTooLargeError(`${limit} bytes`);
    }
    onBytes(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
