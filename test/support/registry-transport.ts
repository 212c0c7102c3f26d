import type { HttpAnswer, HttpRequest, HttpTransport } from "../../src/registry/http/transport.ts";

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
