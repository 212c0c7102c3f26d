import {
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from "node:http2";
import { PassThrough, type Readable } from "node:stream";
import type { HttpResponse } from "../rest/transport.ts";

/** The head of an HTTP/2 response, with its body. */
export class Http2Response implements HttpResponse {
  readonly status: number;
  readonly body: Readable;
  readonly #stream: ClientHttp2Stream;
  readonly #head: IncomingHttpHeaders;

  constructor(
    stream: ClientHttp2Stream,
    head: IncomingHttpHeaders & IncomingHttpStatusHeader,
    body: Readable,
  ) {
    this.#stream = stream;
    this.#head = head;
    this.body = body;
    this.status = head[":status"] ?? 0;
  }

  header(name: string): string | undefined {
    const value = this.#head[name];
    return typeof value === "string" ? value : value?.[0];
  }

  discard(): void {
    cancel(this.#stream);
    this.body.destroy();
  }
}

/**
 * The body of a stream that was just opened. Call this immediately: Node.js considers a stream closed as soon
 * as its last frame arrives, and iterating over it after that fails with a premature close, although the
 * complete body could still be read.
 */
export function bodyOf(stream: ClientHttp2Stream): PassThrough {
  const body = new PassThrough();
  stream.pipe(body);
  // Whoever reads the body gets the error of either stream; without a reader, it doesn't matter.
  stream.on("error", () => undefined);
  body.on("error", () => undefined);
  return body;
}

/** Ends a stream immediately, whatever is still in flight. */
export function cancel(stream: ClientHttp2Stream): void {
  stream.close(constants.NGHTTP2_CANCEL);
  stream.destroy();
}
