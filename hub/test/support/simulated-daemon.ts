import { silentLogger, systemClock } from "@weir/base";
import type { ApiServer, Inspection } from "@weir/flux/api";
import type { Channel } from "@weir/flux/websocket";
import { createInspector } from "../../../src/api/server/inspector.ts";
import { dial } from "../../../src/api/upstream/dial.ts";
import { RpcSession } from "../../../src/api/upstream/rpc.ts";
import { type ApiServerCall, standInApiServer } from "../../../test/support/api-server-stand-in.ts";
import { standInInspection } from "../../../test/support/inspection-stand-in.ts";

/** What a simulated daemon is and says. */
export interface SimulatedOptions {
  readonly token: string;
  readonly version?: number;
  readonly answers?: Partial<ApiServer>;
  /** If absent, it's a daemon of Flux v1. */
  readonly inspection?: Partial<Inspection>;
}

/** A daemon within this process that's connected to a console. */
export class SimulatedDaemon implements AsyncDisposable {
  readonly calls: readonly ApiServerCall[];
  readonly closed: Promise<unknown>;
  readonly #channel: Channel;
  readonly #served: Promise<void>;

  private constructor(channel: Channel, { answers, inspection }: SimulatedOptions) {
    const { api, calls } = standInApiServer(answers);
    const inspect = inspection && { inspect: createInspector(standInInspection(inspection)) };
    const options = { api, rpcTimeout: 10_000, logger: silentLogger, clock: systemClock, ...inspect };
    this.calls = calls;
    this.closed = channel.closed;
    this.#channel = channel;
    this.#served = new RpcSession(channel, options).run();
  }

  /** Connects once; rejects with DialError if the console refuses. */
  static async connect(consoleUrl: string, options: SimulatedOptions): Promise<SimulatedDaemon> {
    const { token, version = 11 } = options;
    const url = new URL(`${consoleUrl.replace("http", "ws")}/v${version}/daemon`);
    const caller = { url, token, userAgent: "fluxd/test", clock: systemClock };
    return new SimulatedDaemon(await dial(caller, new AbortController().signal), options);
  }

  /** How often a method was called. */
  count(method: keyof ApiServer): number {
    return this.calls.filter(([each]) => each === method).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#channel.close();
    await this.#served;
  }
}
