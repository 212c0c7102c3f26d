import type { RequestHeaders } from "./credentials.ts";

/** One HTTP request as it goes out. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly body?: string;
  /** True for a watch or a log: it lives long, so it takes no place among the requests that come and go. */
  readonly longLived: boolean;
  readonly signal?: AbortSignal;
}

/** The head of an answer, and its body as it comes. A body that is not read to its end must be discarded. */
export interface HttpResponse {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Buffer>;
  discard(): void;
}

/** Sends requests to one server over connections that it keeps. */
export interface Transport {
  /** Rejects with ConnectionError where no answer comes, and with the signal's reason where it is aborted. */
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** A request to which no answer came. */
export interface ConnectionLoss {
  readonly server: string;
  /** False where the server surely has not seen the request. */
  readonly sent: boolean;
  readonly reason: string;
}

/** No answer came. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly server: string;
  /** False where the server surely has not seen the request. */
  readonly sent: boolean;
  readonly reason: string;

  constructor({ server, sent, reason }: ConnectionLoss, options?: ErrorOptions) {
    super(`${sent ? "lost the connection to" : "cannot connect to"} ${server}: ${reason}`, options);
    this.server = server;
    this.sent = sent;
    this.reason = reason;
  }
}
