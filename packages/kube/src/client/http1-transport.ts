import { Agent, type ClientRequest, request as sendRequest } from "node:http";
import type { Duplex } from "node:stream";
import { abortReason, type Clock, toError } from "@weir/base";
import type { ClusterCredentials } from "../rest/credentials.ts";
import {
  ConnectionError,
  closedError,
  type HttpRequest,
  type HttpResponse,
  type Transport,
} from "../rest/transport.ts";
import { dial } from "./dial.ts";
import { Http1Response } from "./http1-response.ts";

/** HTTP/1.1: connections are kept and reused; each watch has its own connection for as long as it lasts. */
export class Http1Transport implements Transport {
  readonly #credentials: ClusterCredentials;
  readonly #agent: ClusterAgent;
  readonly #host: string;

  constructor(credentials: ClusterCredentials, clock: Clock) {
    this.#credentials = credentials;
    this.#agent = new ClusterAgent(credentials, clock);
    this.#host = new URL(credentials.server).host;
  }

  send(request: HttpRequest): Promise<HttpResponse> {
    const { method, target: path, signal } = request;
    const headers = { ...request.headers, Host: this.#host };
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(toError(signal.reason));
        return;
      }
      const outgoing = sendRequest({
        agent: this.#agent,
        method,
        path,
        headers,
        ...(signal === undefined ? {} : { signal }),
      });
      // Node.js reports an abort only when the request has its connection, which may take long.
      const aborted = (): void => reject(abortReason(signal));
      signal?.addEventListener("abort", aborted, { once: true });
      outgoing.once("response", (incoming) => {
        signal?.removeEventListener("abort", aborted);
        resolve(new Http1Response(incoming, this.#credentials.server, signal));
      });
      outgoing.on("error", (error) => {
        signal?.removeEventListener("abort", aborted);
        reject(this.#errorOf(error, outgoing, signal));
      });
      outgoing.end(request.body);
    });
  }

  close(): Promise<void> {
    this.#agent.destroy();
    return Promise.resolve();
  }

  #errorOf(error: Error, outgoing: ClientRequest, signal: AbortSignal | undefined): Error {
    if (signal?.aborted) {
      return toError(signal.reason);
    }
    // Errors from dialing are passed on: a failed plugin, a server that refused the connection.
    if (outgoing.socket === null || error instanceof ConnectionError) {
      return error;
    }
    return new ConnectionError(
      { server: this.#credentials.server, sent: true, reason: error.message },
      { cause: error },
    );
  }
}

/** Creates connections with `dial`, so that TLS and proxies work the same for both protocols. */
class ClusterAgent extends Agent {
  readonly #credentials: ClusterCredentials;
  readonly #clock: Clock;
  readonly #closing = new AbortController();

  constructor(credentials: ClusterCredentials, clock: Clock) {
    super({ keepAlive: true, scheduling: "lifo" });
    this.#credentials = credentials;
    this.#clock = clock;
  }

  override createConnection(
    _options: object,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    dial(this.#credentials, ["http/1.1"], this.#clock, this.#closing.signal).then(
      ({ socket }) => done?.(null, socket),
      // The type doesn't allow for a missing stream if there is an error.
      (error: unknown) => (done as ((error: Error) => void) | undefined)?.(toError(error)),
    );
  }

  /** Ends all connections, and those that are being established. */
  override destroy(): void {
    this.#closing.abort(closedError(this.#credentials));
    super.destroy();
  }
}
