import type { HttpAnswer, HttpRequest, HttpTransport } from "@weir/http";
import { createTransport } from "@weir/http";

/** A transport that is closed when it goes out of scope. */
export function openTransport(): HttpTransport & AsyncDisposable {
  const transport = createTransport({ connections: 2 });
  return {
    send: (request) => transport.send(request),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

/** Passes requests on and writes down which, as "GET /path". */
export class CountingTransport implements HttpTransport {
  asked: string[] = [];
  readonly #next: HttpTransport;

  constructor(next: HttpTransport) {
    this.#next = next;
  }

  send(request: HttpRequest): Promise<HttpAnswer> {
    this.asked.push(`${request.method} ${request.url.pathname}`);
    return this.#next.send(request);
  }

  close(): Promise<void> {
    return this.#next.close();
  }
}
