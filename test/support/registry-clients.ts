import { silentLogger, systemClock } from "@weir/base";
import { createTransport } from "@weir/http";
import { type ClientOptions, HttpRegistryClients } from "../../src/registry/http-client.ts";

/** Clients without limits for registries on the loopback, which have no certificates that anybody trusts. */
export class TestClients extends HttpRegistryClients implements AsyncDisposable {
  readonly #close: () => Promise<void>;

  constructor(options: Partial<ClientOptions> = {}) {
    const transport = options.transport ?? createTransport({ connections: 10 });
    super({
      limits: { rps: Infinity, burst: 10 },
      userAgent: "weir-test",
      trace: false,
      clock: systemClock,
      logger: silentLogger,
      insecureHosts: ["127.0.0.1"],
      transport,
      ...options,
    });
    this.#close = () => transport.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}
