import {
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from "node:http2";
import { PassThrough, type Readable } from "node:stream";
import type { HttpResponse } from "../rest/transport.ts";

/** The head of an answer over HTTP/2, with its body. */
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
 * The body of a stream that was just opened. It must be taken up at once: Node calls a stream closed as soon as
 * its last frame is in, and who begins to iterate over it then is told of a premature close, though all of it
 * is there to be read.
 */
export function bodyOf(stream: ClientHttp2Stream): PassThrough {
  const body = new PassThrough();
  stream.pipe(body);
  // How either ends is told to whoever reads the body; with nobody there, it is no matter.
  stream.on("error", () => undefined);
  body.on("error", () => undefined);
  return body;
}

/** Ends a stream at once, whatever is still on its way. */
export function cancel(stream: ClientHttp2Stream): void {
  stream.close(constants.NGHTTP2_CANCEL);
  stream.destroy();
}
