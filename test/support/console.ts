import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { systemClock } from "@weir/base";
import { keepIdleConnections, until } from "@weir/testing";
import {
  type Admission,
  type Caller,
  type ConnectedDaemon,
  type ReceivedEvent,
  UpstreamServer,
} from "@weir/upstream-server";

/** What a server shows that it is, as PEM. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A console to which daemons connect; it can be taken away and put back at the same address. */
export class Console implements AsyncDisposable {
  /** All that ever connected, in order. */
  readonly daemons: ConnectedDaemon[] = [];
  readonly events: ReceivedEvent[] = [];
  /** All that ever knocked, with what they wanted: "daemon" or "event". */
  readonly callers: Caller[] = [];
  /** What callers are told. */
  admission: Admission = "welcome";
  /** What senders of events are told, undefined where they are thanked. */
  refusal: Error | undefined;
  readonly #upstream: UpstreamServer;
  #server: Server | undefined;
  #port = 0;

  readonly #tls: ServerCertificate | undefined;

  private constructor(tls: ServerCertificate | undefined) {
    this.#tls = tls;
    this.#upstream = new UpstreamServer({
      basePath: "/base",
      clock: systemClock,
      admit: (caller) => {
        this.callers.push(caller);
        return this.admission;
      },
      connected: (daemon) => this.daemons.push(daemon),
      event: (event) => {
        if (this.refusal) {
          return Promise.reject(this.refusal);
        }
        this.events.push(event);
        return Promise.resolve();
      },
    });
  }

  /** With a certificate, it listens over TLS. */
  static async start(tls?: ServerCertificate): Promise<Console> {
    const console = new Console(tls);
    await console.open();
    return console;
  }

  /** For --connect. */
  get url(): string {
    return `${this.#tls ? "https" : "http"}://127.0.0.1:${this.#port}/base`;
  }

  /** The daemon that connected as number `index`, as soon as it has; the first is 0. */
  daemon(index = 0): Promise<ConnectedDaemon> {
    return until(`daemon ${index}`, () => this.daemons[index]);
  }

  /** Listens again, where it did before. */
  async open(): Promise<void> {
    const server = this.#tls ? createSecureServer(this.#tls) : createServer();
    keepIdleConnections(server);
    this.#upstream.attach(server);
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    const address = server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
    this.#server = server;
  }

  /** Goes away with all its connections. */
  async close(): Promise<void> {
    await this.#upstream.close();
    const server = this.#server;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
