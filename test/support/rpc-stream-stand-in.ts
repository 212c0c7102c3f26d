import type { RpcStream } from "@weir/flux/websocket";

/** A connection without a network: a test puts bytes in and reads what was answered. */
export class RpcStreamStandIn implements RpcStream {
  readonly closed: Promise<unknown>;
  /** Texts that were sent, in order. */
  readonly sent: string[] = [];
  paused = false;
  /** What the connection was ended for. */
  failure: { readonly error: Error; readonly code: number } | undefined;
  readonly #over = new AbortController();
  readonly #close: () => void;
  readonly #readers = new Set<(text: string) => void>();
  #listener: (bytes: Uint8Array) => void = () => undefined;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.closed = promise;
    this.#close = () => resolve(undefined);
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  listen(listener: (bytes: Uint8Array) => void): void {
    this.#listener = listener;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  send(text: string): Promise<void> {
    this.sent.push(text);
    this.#readers.forEach((read) => read(text));
    return Promise.resolve();
  }

  fail(error: Error, code: number): Promise<void> {
    this.failure = { error, code };
    this.end();
    return Promise.resolve();
  }

  /** Resolves to the next text that is sent and matches; never where the connection ends before. */
  answer(matches: (text: string) => boolean): Promise<string> {
    return new Promise((resolve) => {
      const read = (text: string): void => {
        if (matches(text)) {
          this.#readers.delete(read);
          resolve(text);
        }
      };
      this.#readers.add(read);
    });
  }

  /** The other side sends. */
  receive(bytes: Uint8Array | string): void {
    this.#listener(Buffer.from(bytes));
  }

  /** The other side goes away. */
  end(): void {
    this.#over.abort(new Error("the connection has ended"));
    this.#close();
  }
}
