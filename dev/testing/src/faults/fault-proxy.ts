/**
 * Stands between a client and an API server, and does to the requests and answers what networks, load balancers, and
 * servers do when things go wrong. A plan decides, an exchange acts. A client can't tell it from a bad connection to a
 * bad server.
 */
import { createSecureServer, type Http2SecureServer } from "node:http2";
import { createServer, type Server } from "node:https";
import type { Socket } from "node:net";
import type { Clock } from "@weir/base";
import { snsCertificate as cert, snsKey as key } from "../sns-certificates.ts";
import { readApiCall } from "./api-call.ts";
import { ClientSide, type IncomingRequest, type OutgoingResponse } from "./client-side.ts";
import { Exchange } from "./exchange.ts";
import type { FaultPlan } from "./fault-plan.ts";
import { Upstream } from "./upstream.ts";
import { WatchHistory } from "./watch-history.ts";

/** Where a fault proxy leads, and what happens on the way. */
export interface FaultProxyOptions {
  readonly url: string;
  readonly token: string;
  readonly plan: FaultPlan;
  /** The time in which faults wait. */
  readonly clock: Clock;
}

/** Something that happened to a request or to a watch. */
export interface FaultEvent {
  /** The kind of the request, e.g. "create configmaps". */
  readonly call: string;
  /** How many requests of this kind there were, with this one. */
  readonly number: number;
  /** E.g. "lost". */
  readonly fault: string;
}

/** A proxy with faults. */
export class FaultProxy implements AsyncDisposable {
  readonly #happened: FaultEvent[] = [];
  readonly #options: FaultProxyOptions;
  readonly #upstream: Upstream;
  readonly #server: Server | Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #counts = new Map<string, number>();
  readonly #histories = new Map<string, WatchHistory>();
  readonly #healed = new AbortController();
  readonly #closed = new AbortController();

  /** Listens on a free loopback port. */
  static async open(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  private constructor(options: FaultProxyOptions) {
    this.#options = options;
    this.#upstream = new Upstream(options.url, options.token);
    const handle = (request: IncomingRequest, response: OutgoingResponse): void => {
      const client = new ClientSide(response);
      this.#serve(request, client).catch(() => client.breakOff());
    };
    this.#server =
      options.plan.protocol === "h2"
        ? createSecureServer({ key, cert }, handle)
        : createServer({ key, cert }, handle);
    this.#server.on("secureConnection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  get url(): string {
    const address = this.#server.address();
    return `https://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  /** What happened so far. */
  get happened(): readonly FaultEvent[] {
    return this.#happened;
  }

  /** True while the server behind it works on a request. */
  get isWorking(): boolean {
    return this.#upstream.isWorking;
  }

  /** Ends all faults. What is silent goes on, or breaks off. */
  heal(): void {
    this.#healed.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    this.#upstream.close();
    this.#cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #cut(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  async #serve(request: IncomingRequest, client: ClientSide): Promise<void> {
    const call = readApiCall(request.method ?? "", request.url ?? "");
    const number = (this.#counts.get(call.kind) ?? 0) + 1;
    this.#counts.set(call.kind, number);
    const history = this.#histories.get(call.kind) ?? new WatchHistory();
    this.#histories.set(call.kind, history);
    const exchange = new Exchange({
      ...this.#options,
      call,
      number,
      client,
      history,
      upstream: this.#upstream,
      healed: this.#healed.signal,
      closed: this.#closed.signal,
      onFault: (fault) => this.#happened.push({ call: call.kind, number, fault }),
      cut: () => this.#cut(),
    });
    await exchange.run(request);
  }
}
