import { createSecureServer, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import { FakeClock } from "../../src/fake-clock.ts";
import { calm, type Fault, type WatchFault } from "../../src/faults/fault.ts";
import type { FaultPlan } from "../../src/faults/fault-plan.ts";
import { FaultProxy } from "../../src/faults/fault-proxy.ts";
import { snsCertificate as cert, snsKey as key } from "../../src/sns-certificates.ts";
import { until } from "../../src/until.ts";
import { type Asking, askOverHttp1, askOverHttp2 } from "./asking.ts";

/** The paths of the object, and of a watch. */
export const object = "/api/v1/namespaces/a/configmaps/b";
export const watch = "/api/v1/namespaces/a/configmaps?watch=1&resourceVersion=1";
/** The body of the object, and the lines of the watch. */
export const whole = '{"kind":"ConfigMap"}';
export const [first, second] = ["2", "3"].map((resourceVersion) =>
  JSON.stringify({ type: "ADDED", object: { metadata: { resourceVersion } } }),
) as [string, string];

/** What happens to the requests of a client. */
export interface Faults {
  readonly protocol: FaultPlan["protocol"];
  /** What happens to requests other than watches. */
  readonly fault?: Fault;
  readonly watch?: WatchFault;
}

/** A server with one object and two events, behind a proxy. */
export class Stage implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly heard: string[] = [];
  readonly proxy: FaultProxy;
  readonly #protocol: FaultPlan["protocol"];
  readonly #close: () => Promise<unknown>;

  static async open(faults: Faults): Promise<Stage> {
    const heard: string[] = [];
    const server = createSecureServer({ key, cert }, ({ url }, response) => {
      heard.push(url);
      answer(url, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clock = new FakeClock();
    const plan = {
      protocol: faults.protocol,
      skewMs: 0,
      pageSize: undefined,
      faultOf: ({ verb }: { readonly verb: string }) => (verb === "watch" ? undefined : faults.fault),
      watchFaultOf: () => faults.watch ?? calm,
      goesOn: () => true,
    } as const;
    const proxy = await FaultProxy.open({ url, token: "none", plan, clock });
    const { protocol } = faults;
    return new Stage({
      protocol,
      clock,
      heard,
      proxy,
      close: () => new Promise((resolve) => server.close(resolve)),
    });
  }

  private constructor({ protocol, clock, heard, proxy, close }: StageParts) {
    this.clock = clock;
    this.heard = heard;
    this.proxy = proxy;
    this.#protocol = protocol;
    this.#close = close;
  }

  /** Sends a GET. */
  ask(target: string): Asking {
    return this.#protocol === "h2"
      ? askOverHttp2(this.proxy.url, target)
      : askOverHttp1(this.proxy.url, target);
  }

  /** Lets time pass until something is over. */
  async passTime<T>(over: Promise<T>): Promise<T> {
    const done = new AbortController();
    over.finally(() => done.abort()).catch(() => undefined);
    await until("the end", async () => {
      await this.clock.advance(1_000);
      return done.signal.aborted;
    });
    return over;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy[Symbol.asyncDispose]();
    await this.#close();
  }
}

interface StageParts {
  readonly protocol: FaultPlan["protocol"];
  readonly clock: FakeClock;
  readonly heard: string[];
  readonly proxy: FaultProxy;
  readonly close: () => Promise<unknown>;
}

function answer(url: string, response: Http2ServerResponse): void {
  response.setHeader("content-type", "application/json");
  if (url.includes("watch=1")) {
    response.write(`${first}\n${second}\n`);
  } else {
    response.end(whole);
  }
}
