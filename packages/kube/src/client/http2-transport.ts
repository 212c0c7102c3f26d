import type { Socket } from "node:net";
import { type Clock, orAborted } from "@weir/base";
import type { ClusterCredentials } from "../rest/credentials.ts";
import {
  ConnectionError,
  closedError,
  type HttpRequest,
  type HttpResponse,
  type Transport,
} from "../rest/transport.ts";
import { dial } from "./dial.ts";
import { Http2Session } from "./http2-session.ts";

/**
 * HTTP/2: one connection for short requests, and as many for watches as the server's stream limit requires.
 * Sixty watches on one connection save sixty TLS handshakes and their memory.
 */
export class Http2Transport implements Transport {
  readonly #credentials: ClusterCredentials;
  readonly #clock: Clock;
  readonly #requests: SessionPool;
  readonly #watches: SessionPool;
  readonly #closing = new AbortController();

  /** Takes ownership of `first`, a connection on which HTTP/2 was negotiated. */
  constructor(credentials: ClusterCredentials, clock: Clock, first: Socket) {
    this.#credentials = credentials;
    this.#clock = clock;
    this.#requests = new SessionPool(credentials.server, () => this.#open());
    this.#watches = new SessionPool(credentials.server, () => this.#open());
    this.#requests.add(new Http2Session(credentials.server, first, clock));
  }

  send(request: HttpRequest): Promise<HttpResponse> {
    return (request.longLived ? this.#watches : this.#requests).send(request);
  }

  close(): Promise<void> {
    this.#closing.abort(closedError(this.#credentials));
    this.#requests.close();
    this.#watches.close();
    return Promise.resolve();
  }

  async #open(): Promise<Http2Session> {
    const { server } = this.#credentials;
    const { socket, protocol } = await dial(this.#credentials, ["h2"], this.#clock, this.#closing.signal);
    if (protocol !== "h2") {
      socket.destroy();
      throw new ConnectionError({ server, sent: false, reason: "the server no longer supports HTTP/2" });
    }
    return new Http2Session(server, socket, this.#clock);
  }
}

/** Sessions with the same server; a new one is opened if all are full or lost. */
class SessionPool {
  readonly #server: string;
  readonly #open: () => Promise<Http2Session>;
  readonly #sessions = new Set<Http2Session>();
  #opening: Promise<void> | undefined;
  #closed = false;

  constructor(server: string, open: () => Promise<Http2Session>) {
    this.#server = server;
    this.#open = open;
  }

  add(session: Http2Session): void {
    if (this.#closed) {
      session.close();
    } else {
      this.#sessions.add(session);
    }
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    while (!this.#closed) {
      // Find and reserve without waiting in between: others wait for the same connection.
      const session = this.#withRoom();
      if (session !== undefined) {
        return session.send(request);
      }
      this.#opening ??= this.#open()
        .then((opened) => this.add(opened))
        .finally(() => {
          this.#opening = undefined;
        });
      await orAborted(this.#opening, request.signal);
    }
    throw closedError({ server: this.#server });
  }

  close(): void {
    this.#closed = true;
    for (const session of this.#sessions) {
      session.close();
    }
    this.#sessions.clear();
  }

  #withRoom(): Http2Session | undefined {
    for (const session of this.#sessions) {
      if (!session.usable) {
        this.#sessions.delete(session);
      } else if (!session.full) {
        return session;
      }
    }
    return undefined;
  }
}
