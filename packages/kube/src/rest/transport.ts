import type { RequestHeaders } from "./credentials.ts";

/** One HTTP request. */
export interface HttpRequest {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly body?: string;
  /** True for a watch or a log: it lasts long, so it doesn't count toward the limit of requests. */
  readonly longLived: boolean;
  readonly signal?: AbortSignal;
}

/** The head of a response, and its body as a stream. A body that isn't read to its end must be discarded. */
export interface HttpResponse {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Buffer>;
  discard(): void;
}

/** Sends requests to one server over persistent connections. */
export interface Transport {
  /** Rejects with ConnectionError if no response arrives, and with the signal's reason if it's aborted. */
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** A request that got no response. */
export interface ConnectionLoss {
  readonly server: string;
  /** False if the server certainly hasn't received the request. */
  readonly sent: boolean;
  readonly reason: string;
}

/** The error of requests that end because their client is closed. */
export function closedError({ server }: Pick<ConnectionLoss, "server">): ConnectionError {
  return new ConnectionError({ server, sent: false, reason: "the client is closed" });
}

/** No response arrived. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly server: string;
  /** False if the server certainly hasn't received the request. */
  readonly sent: boolean;
  readonly reason: string;

  constructor({ server, sent, reason }: ConnectionLoss, options?: ErrorOptions) {
    super(`${sent ? "lost the connection to" : "cannot connect to"} ${server}: ${reason}`, options);
    this.server = server;
    this.sent = sent;
    this.reason = reason;
  }
}
