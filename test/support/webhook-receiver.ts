import type { Change } from "@weir/flux/api";
import { FakeClock, RecordedLog } from "@weir/testing";
import { listen } from "../../src/api/server/listen.ts";
import { hookPath, type ServedEndpoint } from "../../src/webhooks/endpoints.ts";
import type { HookEndpoint, Trust } from "../../src/webhooks/hook.ts";
import type { HookOutcome } from "../../src/webhooks/metrics.ts";
import { createReceiver, receiverLimits } from "../../src/webhooks/receiver.ts";
import { sampleKey, sampleTrust } from "./webhooks.ts";

/** What a receiver is to be like. */
export interface TestReceiverOptions {
  readonly trust?: Trust;
  readonly notifyChange?: (change: Change, signal: AbortSignal) => Promise<void>;
  readonly get?: (url: URL) => Promise<string>;
  /** In milliseconds; what it is in the product where it is left out. */
  readonly requestTimeout?: number;
}

/** A receiver in the process of the test, which writes down what it is told. */
export class TestReceiver implements AsyncDisposable {
  readonly changes: Change[] = [];
  readonly outcomes: (readonly [source: string, outcome: HookOutcome])[] = [];
  readonly log: RecordedLog = new RecordedLog();
  readonly clock: FakeClock = new FakeClock();
  #address = "";
  #stop: () => Promise<void> = () => Promise.resolve();

  static async start(
    endpoints: readonly HookEndpoint[],
    options: TestReceiverOptions = {},
  ): Promise<TestReceiver> {
    const receiver = new TestReceiver();
    await receiver.#start(endpoints, options);
    return receiver;
  }

  /** "127.0.0.1:port". */
  get address(): string {
    return this.#address;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }

  async #start(endpoints: readonly HookEndpoint[], options: TestReceiverOptions): Promise<void> {
    const { trust = sampleTrust, get = () => Promise.reject(new Error("nothing is asked for")) } = options;
    const app = createReceiver({
      endpoints: new Map(endpoints.map((each) => [pathOf(each), served(each)])),
      api: {
        notifyChange: (change, signal) => {
          this.changes.push(change);
          return options.notifyChange?.(change, signal) ?? Promise.resolve();
        },
      },
      trust,
      get,
      count: (source, outcome) => this.outcomes.push([source, outcome]),
      logger: this.log,
      clock: this.clock,
    });
    const { requestTimeout = receiverLimits.requestTimeout } = options;
    const headersTimeout = Math.min(receiverLimits.headersTimeout, requestTimeout);
    const limits = { ...receiverLimits, requestTimeout, headersTimeout };
    const listening = await listen(app, "127.0.0.1:0", limits);
    this.#address = listening.address;
    this.#stop = () => listening.stop();
  }
}

/** The path of an endpoint; those of one receiver differ in their keys, or in the host of their registry. */
export function pathOf({ keys: [key = sampleKey], registryHost }: HookEndpoint): string {
  return hookPath(key, registryHost);
}

function served(endpoint: HookEndpoint): ServedEndpoint {
  const path = pathOf(endpoint);
  return { ...endpoint, path, shownPath: path, keyFile: "key", warnings: [] };
}
