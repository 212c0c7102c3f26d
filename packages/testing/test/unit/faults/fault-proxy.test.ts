import assert from "node:assert/strict";
import { createSecureServer, type Http2ServerResponse } from "node:http2";
import { request as send } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { FakeClock } from "../../../src/fake-clock.ts";
import { calm, type Fault, type WatchEnd, type WatchFault } from "../../../src/faults/fault.ts";
import { FaultProxy } from "../../../src/faults/fault-proxy.ts";
import { snsCertificate as cert, snsKey as key } from "../../../src/sns-certificates.ts";
import { until } from "../../../src/until.ts";

const object = "/api/v1/namespaces/a/configmaps/b";
const watch = "/api/v1/namespaces/a/configmaps?watch=1&resourceVersion=1";
const whole = '{"kind":"ConfigMap"}';
const [first, second] = ["2", "3"].map((resourceVersion) =>
  JSON.stringify({ type: "ADDED", object: { metadata: { resourceVersion } } }),
) as [string, string];
const refused = { kind: "refused", retryAfter: undefined, isPlain: false, isDone: false } as const;

/** What a client sees of each fault, and whether the server hears of the request. */
const faults: readonly { readonly fault: Fault; readonly sees: string; readonly isHeard: boolean }[] = [
  { fault: { ...refused, status: 429, retryAfter: 2 }, sees: "429 after 2, ends", isHeard: false },
  { fault: { ...refused, status: 503 }, sees: "503, ends", isHeard: false },
  { fault: { ...refused, status: 500, isDone: true }, sees: "500, ends", isHeard: true },
  { fault: { ...refused, status: 504, isDone: true }, sees: "504, ends", isHeard: true },
  { fault: { kind: "expired" }, sees: "410, ends", isHeard: false },
  { fault: { kind: "unsent" }, sees: "breaks", isHeard: false },
  { fault: { kind: "cut" }, sees: "breaks", isHeard: false },
  { fault: { kind: "lost", share: 0 }, sees: "breaks", isHeard: true },
  { fault: { kind: "lost", share: 0.5 }, sees: `200 ${whole.slice(0, 10)}, breaks`, isHeard: true },
  { fault: { kind: "late", ms: 5_000 }, sees: `200 ${whole}, ends`, isHeard: true },
  { fault: { kind: "trickled", pieces: 4, pauseMs: 1_000 }, sees: `200 ${whole}, ends`, isHeard: true },
];

const ends: readonly { readonly how: WatchEnd; readonly sees: string }[] = [
  { how: "broken", sees: `200 ${first}, breaks` },
  { how: "ended", sees: `200 ${first}, ends` },
  { how: "half line, broken", sees: `200 ${first}${half(second)}, breaks` },
  { how: "half line, ended", sees: `200 ${first}${half(second)}, ends` },
];

describe("a client behind a fault proxy", () => {
  for (const { fault, sees, isHeard } of faults) {
    it(`sees of ${JSON.stringify(fault)}: ${sees}`, async () => {
      await using stage = await Stage.open({ fault });
      const client = stage.ask(object);

      assert.equal(await stage.passTime(client.over), sees);
      assert.equal(stage.heard.length, isHeard ? 1 : 0);
      assert.equal(stage.proxy.happened.length, 1);
    });
  }

  for (const { how, sees } of ends) {
    it(`sees of a watch that ends as "${how}": ${sees}`, async () => {
      await using stage = await Stage.open({ watch: { ...calm, end: { afterLines: 1, how } } });

      assert.equal(await stage.ask(watch).over, sees);
    });
  }

  for (const [how, code] of [
    ["expired", 410],
    ["failed", 500],
  ] as const) {
    it(`sees an error at the end of a watch that has ${how}`, async () => {
      await using stage = await Stage.open({ watch: { ...calm, end: { afterLines: 1, how } } });

      assert.match(await stage.ask(watch).over, new RegExp(`"type":"ERROR".*"code":${code}\\}\\}, ends$`));
    });
  }

  for (const isHeard of [true, false]) {
    it(`sees nothing until the faults are over: ${isHeard ? "" : "not "}heard`, async () => {
      await using stage = await Stage.open({ fault: { kind: "silent", isHeard } });
      const client = stage.ask(object);
      await until("the fault", () => stage.proxy.happened.length === 1);
      await until("the server", () => !isHeard || stage.heard.length === 1);
      await stage.clock.advance(3_600_000);
      assert.equal(client.seen, "");
      assert.equal(stage.heard.length, isHeard ? 1 : 0);

      stage.proxy.heal();

      assert.equal(await client.over, `200 ${whole}, ends`);
      assert.equal(stage.heard.length, 1);
    });
  }

  it("sees no more events of a silent watch until the faults are over", async () => {
    await using stage = await Stage.open({ watch: { ...calm, end: { afterLines: 1, how: "silent" } } });
    const client = stage.ask(watch);
    await until("the silence", () => stage.proxy.happened.length === 1);
    await stage.clock.advance(3_600_000);
    assert.equal(client.seen, `200 ${first}`);

    stage.proxy.heal();

    await until("the next event", () => client.seen === `200 ${first}${second}`);
  });

  it("sees events late that are held back, in their order", async () => {
    await using stage = await Stage.open({ watch: { ...calm, isHeld: true, holdMs: () => 4_000 } });
    const client = stage.ask(watch);
    await stage.clock.sleeping(4_000);
    await until("the head", () => client.seen === "200 ");
    await stage.clock.advance(4_000);
    await until("the first event", () => client.seen === `200 ${first}`);
    await stage.clock.sleeping(4_000);
    await stage.clock.advance(4_000);
    await until("the second event", () => client.seen === `200 ${first}${second}`);
  });

  it("loses its other connections too if they are cut", async () => {
    await using stage = await Stage.open({ fault: { kind: "cut" } });
    const watching = stage.ask(watch);
    await until("the events", () => watching.seen === `200 ${first}${second}`);

    await stage.ask(object).over;

    assert.equal(await watching.over, `200 ${first}${second}, breaks`);
  });
});

interface Faults {
  /** What happens to requests other than watches. */
  readonly fault?: Fault;
  readonly watch?: WatchFault;
}

/** A server with one object and two events, behind a proxy. */
class Stage implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly heard: string[] = [];
  readonly proxy: FaultProxy;
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
      protocol: "http/1.1",
      skewMs: 0,
      pageSize: undefined,
      faultOf: ({ verb }: { readonly verb: string }) => (verb === "watch" ? undefined : faults.fault),
      watchFaultOf: () => faults.watch ?? calm,
      goesOn: () => true,
    } as const;
    const proxy = await FaultProxy.open({ url, token: "none", plan, clock });
    return new Stage({ clock, heard, proxy, close: () => new Promise((resolve) => server.close(resolve)) });
  }

  private constructor({ clock, heard, proxy, close }: StageParts) {
    this.clock = clock;
    this.heard = heard;
    this.proxy = proxy;
    this.#close = close;
  }

  /** Sends a GET. */
  ask(target: string): Asking {
    const asking: { seen: string; over: Promise<string> } = { seen: "", over: Promise.resolve("") };
    asking.over = new Promise((resolve) => {
      const end = (how: string): void => resolve([asking.seen, how].filter((word) => word !== "").join(", "));
      const outgoing = send(`${this.proxy.url}${target}`, { rejectUnauthorized: false, agent: false });
      outgoing.on("error", () => end("breaks"));
      outgoing.on("response", (incoming) => {
        const { statusCode = 0, headers } = incoming;
        const after = headers["retry-after"];
        asking.seen =
          statusCode === 200 ? "200 " : `${statusCode}${after === undefined ? "" : ` after ${after}`}`;
        incoming.on("data", (chunk) => {
          asking.seen += statusCode === 200 ? String(chunk).replaceAll("\n", "") : "";
        });
        incoming.on("error", () => end("breaks"));
        incoming.on("end", () => end("ends"));
      });
      outgoing.end();
    });
    return asking;
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
  readonly clock: FakeClock;
  readonly heard: string[];
  readonly proxy: FaultProxy;
  readonly close: () => Promise<unknown>;
}

/** What a client has seen so far, and in the end. */
interface Asking {
  readonly seen: string;
  readonly over: Promise<string>;
}

function answer(url: string, response: Http2ServerResponse): void {
  response.setHeader("content-type", "application/json");
  if (url.includes("watch=1")) {
    response.write(`${first}\n${second}\n`);
  } else {
    response.end(whole);
  }
}

function half(line: string): string {
  return line.slice(0, Math.ceil((line.length + 1) / 2));
}
