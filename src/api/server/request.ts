import type { IncomingMessage } from "node:http";
import type { JsonValue } from "../../base/json.ts";
import { apiLimits } from "../../base/limits.ts";

/** What a handler is given: the query, the body, and a signal that ends with the client. */
export interface ApiRequest {
  readonly query: URLSearchParams;
  /** The body as JSON. Throws BadRequestError where it is none, or too large. */
  json(): Promise<JsonValue>;
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

  constructor(limit: number) {
    super(`the request body is larger than ${limit} bytes`);
  }
}

/** Reads the whole body of a request as JSON, with nothing behind the value. */
export async function readJsonBody(request: IncomingMessage): Promise<JsonValue> {
  const text = (await readBody(request, apiLimits.body)).toString("utf8");
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new BadRequestError(`the request body is not JSON: ${String(error)}`, { cause: error });
  }
}

/** Reads the whole body of a request, of up to `limit` bytes. Rejects with BodyTooLargeError where it is longer. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    throw new BodyTooLargeError(limit);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // What is left of a body that is too large is not to take the connection, and with it the answer, away.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) {
      throw new BodyTooLargeError(limit);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
