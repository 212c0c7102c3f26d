import type { IncomingMessage } from "node:http";
import { type JsonValue, messageOf } from "@weir/base";

/** The input of a handler: the query, the body, and a signal that is aborted when the client disconnects. */
export interface ApiRequest {
  readonly query: URLSearchParams;
  /**
   * The body as JSON; `limit` is its maximum size in bytes, by default the general limit. Rejects with
   * BadRequestError if the body isn't JSON, BodyTooLargeError, or a FluxError if fluxd is busy.
   */
  json(limit?: number): Promise<JsonValue>;
  readonly signal: AbortSignal;
}

/** The result of a handler: a status without a body, or 200 with JSON. */
export type Answer = { readonly status: 202 | 204 } | { readonly status: 200; readonly json: JsonValue };

/** Handles one route of a `Server`; error-response.ts converts what it throws. */
export type Handler<Server> = (server: Server, request: ApiRequest) => Promise<Answer>;

/** A response with a value. */
export function json(value: JsonValue): Answer {
  return { status: 200, json: value };
}

/** The request is invalid (400). */
export class BadRequestError extends Error {
  override readonly name = "BadRequestError";
}

/** The body is larger than any request needs (413). */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";

  /** `limit` is the maximum size of a body, e.g. "100 bytes". */
  constructor(limit: string) {
    super(`the request body is larger than ${limit}`);
  }
}

/** Parses a body that consists of a single JSON value. Throws BadRequestError. */
export function parseJson(body: Buffer): JsonValue {
  try {
    return JSON.parse(body.toString("utf8")) as JsonValue;
  } catch (error) {
    throw new BadRequestError(`the request body is not JSON: ${String(error)}`, { cause: error });
  }
}

/**
 * Reads the whole body of a request, up to `limit` bytes; `onBytes` is called with each piece before it's
 * stored, and can throw. Rejects with BodyTooLargeError if the body is longer.
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
  // The rest of a body that is too large must not close the connection, and with it the response.
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

/** Decodes a body. Throws BadRequestError if it doesn't have the right shape. */
export function reading<T>(decode: (value: JsonValue) => T, value: JsonValue): T {
  try {
    return decode(value);
  } catch (error) {
    throw new BadRequestError(messageOf(error), { cause: error });
  }
}
