import { type Clock, orAborted } from "@weir/base";
import type { ClusterCredentials } from "../rest/credentials.ts";
import { closedError, type HttpRequest, type HttpResponse, type Transport } from "../rest/transport.ts";
import { dial } from "./dial.ts";
import { Http1Transport } from "./http1-transport.ts";
import { Http2Transport } from "./http2-transport.ts";

/** Uses HTTP/2 if the server supports it, as API servers do over TLS, or else HTTP/1.1. */
export function createTransport(credentials: ClusterCredentials, clock: Clock): Transport {
  return credentials.server.startsWith("https:")
    ? new NegotiatedTransport(credentials, clock)
    : new Http1Transport(credentials, clock);
}

/** Chooses the protocol at the first request, by TLS negotiation; an unreachable server is asked again. */
class NegotiatedTransport implements Transport {
  readonly #credentials: ClusterCredentials;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  #chosen: Promise<Transport> | undefined;

  constructor(credentials: ClusterCredentials, clock: Clock) {
    this.#credentials = credentials;
    this.#clock = clock;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    this.#chosen ??= this.#choose();
    const transport = await orAborted(this.#chosen, request.signal);
    return transport.send(request);
  }

  async close(): Promise<void> {
    this.#closing.abort(closedError(this.#credentials));
    const transport = await this.#chosen?.catch(() => undefined);
    await transport?.close();
  }

  async #choose(): Promise<Transport> {
    try {
      const { socket, protocol } = await dial(
        this.#credentials,
        ["h2", "http/1.1"],
        this.#clock,
        this.#closing.signal,
      );
      if (protocol === "h2") {
        return new Http2Transport(this.#credentials, this.#clock, socket);
      }
      socket.destroy();
      return new Http1Transport(this.#credentials, this.#clock);
    } catch (error) {
      this.#chosen = undefined;
      throw error;
    }
  }
}
