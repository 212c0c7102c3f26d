import type { JsonValue } from "@weir/base";

/** One request to an API server. */
export interface RestRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute path without a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonValue | object;
  /** Of the body; application/json where absent. */
  readonly contentType?: string;
  readonly accept?: string;
  /** How many bytes the answer may have, where that is not as many as usual. */
  readonly mostBytes?: number;
  /**
   * Asks whether the server is there. It waits for no other request, nor for a server that is known to be away, and
   * is tried again only where a connection was lost that had served until then.
   */
  readonly isProbe?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Talks to one API server with the credentials of a kubeconfig. Implementations throw KubeApiError where
 * the server refuses, and another Error where it cannot be reached.
 */
export interface RestClient {
  /** The base URL of the server; for logs. */
  readonly server: string;
  /** The decoded JSON answer; `null` for an empty one. Rejects with LargeAnswerError where it is too long. */
  json(request: RestRequest): Promise<unknown>;
  /** The answer as lines, as they come: a watch or a log. Ends when the server ends it. */
  lines(request: RestRequest): AsyncIterable<string>;
  /** Ends all connections. */
  close(): Promise<void>;
}
