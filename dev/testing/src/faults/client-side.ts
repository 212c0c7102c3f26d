import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** A request as both HTTP/1.1 and HTTP/2 deliver it. */
export type IncomingRequest = IncomingMessage | Http2ServerRequest;
export type OutgoingResponse = ServerResponse | Http2ServerResponse;

/** One for all: an error of its own for each response would take longer than the response. */
const gone = new Error("the response is over");

/** The client's end of a request: answers it, or breaks it off. */
export class ClientSide {
  readonly #response: ServerResponse;
  readonly #left = new AbortController();
  /** Resolves when everything written so far is on its way. */
  #written: Promise<undefined> = Promise.resolve(undefined);

  constructor(response: OutgoingResponse) {
    // The two have the methods used here in common; only their types don't.
    this.#response = response as ServerResponse;
    response.on("error", () => undefined);
    response.on("close", () => this.#left.abort(gone));
  }

  /** Aborted when the response is over, or when the client has left. */
  get over(): AbortSignal {
    return this.#left.signal;
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    if (!this.over.aborted) {
      this.#response.statusCode = status;
      for (const [name, value] of Object.entries(headers)) {
        this.#response.setHeader(name, value);
      }
      this.#response.flushHeaders();
    }
  }

  write(text: string | Buffer): void {
    if (!this.over.aborted && text.length > 0) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      this.#response.write(text, () => resolve(undefined));
      this.#written = promise;
    }
  }

  end(): void {
    if (!this.over.aborted) {
      this.#response.end();
    }
  }

  /**
   * Ends the stream of HTTP/2, or the connection of HTTP/1.1, without an end of the response, but not before what was
   * written: a closed stream or connection drops what it hasn't sent.
   */
  breakOff(): void {
    void this.#written.then(() => this.#close());
  }

  #close(): void {
    if (this.over.aborted) {
      return;
    }
    const response: unknown = this.#response;
    if (response instanceof Http2ServerResponse) {
      response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    } else {
      this.#response.destroy();
    }
  }
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
