import type { JsonValue } from "@weir/base";

/** A request to an API server. */
export interface RestRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The absolute path without a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonValue | object;
  /** The content type of the body; application/json by default. */
  readonly contentType?: string;
  readonly accept?: string;
  /**
   * For a log: lines of more than `most` bytes are cut and then end with `mark`, instead of ending the request. At most
   * one chunk of the response more is in memory.
   */
  readonly longLines?: { readonly most: number; readonly mark: string };
  /** The maximum size of the response in bytes, if it differs from the default. */
  readonly mostBytes?: number;
  /** Receives the size of the body in bytes, before `json` resolves. */
  readonly onSize?: (bytes: number) => void;
  /**
   * Checks whether the server is available. A probe waits neither for other requests nor for a server that is
   * known to be unavailable, and is retried only if a connection was lost that had worked before.
   */
  readonly isProbe?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * A client for one API server, with the credentials of a kubeconfig. Implementations throw KubeApiError if
 * the server refuses a request, and another Error if it can't be reached.
 */
export interface RestClient {
  /** The base URL of the server, for logs. */
  readonly server: string;
  /** The decoded JSON response; `null` for an empty one. Rejects with LargeAnswerError if it's too large. */
  json(request: RestRequest): Promise<unknown>;
  /** The lines of the response as they arrive: a watch or a log. Ends when the server ends it. */
  lines(request: RestRequest): AsyncIterable<string>;
  /** Closes all connections, and ends all requests, which reject with ConnectionError. */
  close(): Promise<void>;
}
