import type { IncomingMessage } from "node:http";
import { toError } from "@weir/base";
import { ConnectionError, type HttpResponse } from "../rest/transport.ts";

/** The head of an HTTP/1.1 response, with its body. */
export class Http1Response implements HttpResponse {
  readonly status: number;
  readonly #incoming: IncomingMessage;
  readonly #server: string;
  readonly #signal: AbortSignal | undefined;

  constructor(incoming: IncomingMessage, server: string, signal: AbortSignal | undefined) {
    this.#incoming = incoming;
    this.#server = server;
    this.#signal = signal;
    this.status = incoming.statusCode ?? 0;
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return typeof value === "string" ? value : value?.[0];
  }

  get body(): AsyncIterable<Buffer> {
    return this.#read();
  }

  discard(): void {
    this.#incoming.destroy();
  }

  /** The chunks of the body. A body that ends early is an error here, not just an end. */
  async *#read(): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const chunk of this.#incoming) {
        if (chunk instanceof Buffer) {
          yield chunk;
        }
      }
    } catch (error) {
      throw this.#brokenOff(error);
    }
    if (!this.#incoming.complete) {
      throw this.#brokenOff(new Error("the response ended early"));
    }
  }

  #brokenOff(error: unknown): Error {
    return this.#signal?.aborted === true
      ? toError(this.#signal.reason)
      : new ConnectionError(
          { server: this.#server, sent: true, reason: toError(error).message },
          { cause: error },
        );
  }
}
