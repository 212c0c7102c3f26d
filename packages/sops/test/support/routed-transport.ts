import { createTransport, type HttpTransport, type TransportOptions } from "@weir/http";

/**
 * Transports that lead each origin, such as "https://sts.eu-west-1.amazonaws.com", to a server of the test, with the
 * host that was asked for in the header. Loopback addresses are reached as they are, and all others are refused.
 */
export class Routes {
  readonly #servers: Readonly<Record<string, string>>;
  /** Each origin that was asked for, once. */
  readonly origins = new Set<string>();
  readonly opened: TransportOptions[] = [];
  #closed = 0;

  constructor(servers: Readonly<Record<string, string>> = {}) {
    this.#servers = servers;
  }

  /** True if every transport that was opened is closed. */
  get allClosed(): boolean {
    return this.#closed === this.opened.length;
  }

  readonly createTransport = (options: TransportOptions): HttpTransport => {
    this.opened.push(options);
    const transport = createTransport(options);
    return {
      send: (request) => {
        const { origin, host, hostname, pathname, search } = request.url;
        this.origins.add(origin);
        const server = this.#servers[origin] ?? (hostname === "127.0.0.1" ? origin : undefined);
        if (server === undefined) {
          throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: "ENOTFOUND" });
        }
        const url = new URL(`${pathname}${search}`, server);
        return transport.send({ ...request, url, headers: { ...request.headers, host } });
      },
      close: async () => {
        this.#closed += 1;
        await transport.close();
      },
    };
  };
}
