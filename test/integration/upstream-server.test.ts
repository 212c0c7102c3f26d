import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silentLogger, systemClock } from "@weir/base";
import { FluxError } from "@weir/flux";
import type { ApiServer, Inspection } from "@weir/flux/api";
import type { Channel, RpcStream } from "@weir/flux/websocket";
import { type ConnectedDaemon, FatalError, type ProtocolVersion } from "@weir/upstream-server";
import { WebSocket } from "ws";
import { createInspector } from "../../src/api/server/inspector.ts";
import { dial } from "../../src/api/upstream/dial.ts";
import { DialError } from "../../src/api/upstream/errors.ts";
import { RpcSession } from "../../src/api/upstream/rpc.ts";
import { standInApiServer } from "../support/api-server-stand-in.ts";
import { Console } from "../support/console.ts";
import { standInInspection } from "../support/inspection-stand-in.ts";

const { signal } = new AbortController();
const caller = { userAgent: "fluxd/test", token: "t0ken", clock: systemClock };

describe("a console", () => {
  for (const version of [7, 8, 9, 10, 11, 12] as const) {
    it(`calls a daemon that connects in version ${version}`, async () => {
      await using upstream = await Console.start();
      const { daemon, served } = await connect(upstream, version);

      assert.deepEqual([daemon.protocol, daemon.caller.token], [version, "t0ken"]);
      await daemon.api.ping(signal);
      assert.equal(await daemon.api.version(signal), "1.2.3");
      assert.equal(await daemon.api.exportAll(signal), "kind: Namespace\n");
      assert.deepEqual(await daemon.api.listWorkloads({ namespace: "a", workloads: [] }, signal), []);
      assert.deepEqual(
        await daemon.api.listImages({ workload: "<all>", namespace: "", fields: [] }, signal),
        [],
      );
      assert.equal(
        (await daemon.api.gitRepoConfig(false, signal)).publicSshKey.fingerprints?.["sha256"]?.hash,
        "abc",
      );
      await daemon.close();
      await served;
    });
  }

  it("gets what does not fit into one frame, or many", async () => {
    const yaml = "é".repeat(20 * 1024 * 1024);
    await using upstream = await Console.start();
    const { daemon } = await connect(upstream, 11, { exportAll: () => Promise.resolve(yaml) });

    assert.equal((await daemon.api.exportAll(signal)) === yaml, true);
  });

  it("reaches what only Weir's daemons have, and is told what they refuse", async () => {
    await using upstream = await Console.start();
    const { daemon } = await connect(
      upstream,
      11,
      {},
      {
        why: ({ subject }) =>
          Promise.resolve({ kind: "unknown", subject, verdict: "é", causes: [], known: [] }),
        tree: () => Promise.resolve({ revision: "c1", version: "2", resources: [] }),
        treeChanged: ({ after }) => Promise.resolve(after !== "2"),
        diff: () => Promise.reject(new FluxError("user", "no such ref", "Help.\n")),
        lastSync: () => Promise.reject(new Error("no cluster")),
      },
    );

    const inspection = await daemon.inspection(signal);

    assert.ok(inspection);
    assert.equal(await daemon.inspection(signal), inspection);
    assert.equal((await inspection.why({ subject: "web", namespace: "" }, signal)).verdict, "é");
    const { suspensions } = await inspection.suspend({ what: ["sync"], reason: "r", user: "me" }, signal);
    assert.deepEqual(
      suspensions.map(({ what, user }) => [what, user]),
      [["sync", "me"]],
    );
    const changed = (after: string) => inspection.changedTree({ namespace: "", after, waitMs: 1 }, signal);
    assert.deepEqual([(await changed("1"))?.revision, await changed("2")], ["c1", undefined]);
    await assert.rejects(
      inspection.diff({ ref: "x" }, signal),
      (error) => error instanceof FluxError && error.advice === "Help.\n",
    );
    await assert.rejects(
      inspection.lastSync(signal),
      (error) => error instanceof FluxError && error.message === "no cluster",
    );
  });

  it("learns once that a daemon is of Flux v1", async () => {
    await using upstream = await Console.start();
    const { daemon, received } = await connect(upstream, 11);

    assert.equal(await daemon.inspection(signal), undefined);
    assert.equal(await daemon.inspection(signal), undefined);
    assert.equal(received().match(/RPCServer\.Inspect/g)?.length, 1);
  });

  it("does not ask a daemon of an old version for it", async () => {
    await using upstream = await Console.start();
    const { daemon, received } = await connect(upstream, 10);

    assert.equal(await daemon.inspection(signal), undefined);
    assert.equal(received(), "");
  });

  it("is told that a daemon has gone, in the middle of a call and after it", async () => {
    await using upstream = await Console.start();
    const { daemon, leave } = await connect(upstream, 11, { syncStatus: () => new Promise(() => undefined) });
    const call = daemon.api.syncStatus("HEAD", signal);
    const failed = assert.rejects(call, FatalError);

    leave();

    await failed;
    await assert.rejects(
      daemon.api.ping(signal),
      (error) => error instanceof FluxError && error.advice.startsWith("Cannot contact Flux daemon"),
    );
  });

  for (const [status, path, admission] of [
    [404, "/v5/daemon", "welcome"],
    [404, "/v13/daemon", "welcome"],
    [404, "/v11/daemon/", "welcome"],
    [401, "/v11/daemon", 401],
    [403, "/v6/daemon", 403],
  ] as const) {
    it(`answers ${status} at ${path} to who is ${admission}`, async () => {
      await using upstream = await Console.start();
      upstream.admission = admission;

      await assert.rejects(
        dial({ ...caller, url: new URL(upstream.url.replace("http", "ws") + path) }, signal),
        (error) => error instanceof DialError && error.status === status,
      );
      assert.deepEqual(upstream.daemons, []);
    });
  }

  it("knows every version that daemons may have, by the address", async () => {
    await using upstream = await Console.start();

    for (const version of [6, 7, 8, 9, 10, 11, 12]) {
      const socket = new WebSocket(`${upstream.url}/v${version}/daemon?x=1`);
      await new Promise((resolve) => socket.once("open", resolve));
      socket.terminate();
    }

    await upstream.daemon(6);
    assert.deepEqual(
      upstream.daemons.map(({ protocol }) => protocol),
      [6, 7, 8, 9, 10, 11, 12],
    );
  });
});

describe("the events of a console", () => {
  const good = { type: "lock", startedAt: "2026-01-02T03:04:05Z", endedAt: "2026-01-02T03:04:05Z" };
  const send = (upstream: Console, body: string, path = "/v6/events"): Promise<Response> =>
    fetch(upstream.url + path, { method: "POST", body, headers: { Accept: "application/json" } });

  it("are taken", async () => {
    await using upstream = await Console.start();

    const { status } = await send(upstream, JSON.stringify(good));

    assert.equal(status, 204);
    assert.deepEqual(
      upstream.events.map(({ type }) => type),
      ["lock"],
    );
  });

  for (const [what, body, message] of [
    ["no JSON", "{", /the request body is not JSON/],
    ["without a type", "{}", /^Event type is empty$/],
    ["of no workload", JSON.stringify({ ...good, serviceIDs: ["nothing"] }), /invalid service ID/],
    [
      "with a payload of another shape",
      JSON.stringify({ ...good, type: "sync", metadata: [] }),
      /should be an object/,
    ],
  ] as const) {
    it(`are refused where they are ${what}`, async () => {
      await using upstream = await Console.start();

      const response = await send(upstream, body);

      assert.equal(response.status, 400);
      const { error } = (await response.json()) as { error: string };
      assert.match(error, message);
      assert.deepEqual(upstream.events, []);
    });
  }

  it("are refused to who may not come in, at other addresses, and where nobody wants them", async () => {
    await using upstream = await Console.start();
    const body = JSON.stringify(good);

    assert.equal((await send(upstream, body, "/v6/other")).status, 404);
    assert.equal((await fetch(`${upstream.url}/v6/events`)).status, 404);
    upstream.refusal = new FluxError("server", "no room", "Help.\n");
    assert.equal((await send(upstream, body)).status, 500);
    upstream.admission = 401;
    assert.equal((await send(upstream, body)).status, 401);
    assert.deepEqual(upstream.events, []);
  });
});

/** A daemon within this process, in the newest form, connected as if it were of that version. */
async function connect(
  upstream: Console,
  version: ProtocolVersion,
  answers: Partial<ApiServer> = {},
  inspection?: Partial<Inspection>,
): Promise<{ daemon: ConnectedDaemon; served: Promise<void>; leave: () => void; received: () => string }> {
  const url = new URL(`${upstream.url.replace("http", "ws")}/v${version}/daemon`);
  const channel = await dial({ ...caller, url }, signal);
  const { api } = standInApiServer(answers);
  const inspect = inspection && { inspect: createInspector(standInInspection(inspection)) };
  const options = { api, rpcTimeout: 10_000, logger: silentLogger, clock: systemClock, ...inspect };
  const stream = new OverheardStream(channel);
  const served = new RpcSession(stream, options).run();
  return {
    daemon: await upstream.daemon(),
    served,
    leave: () => void channel.close(),
    received: () => stream.received,
  };
}

/** A connection that keeps what it received. */
class OverheardStream implements RpcStream {
  received = "";
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  get signal(): AbortSignal {
    return this.#channel.signal;
  }

  get closed(): Promise<unknown> {
    return this.#channel.closed;
  }

  listen(listener: (bytes: Uint8Array) => void): void {
    this.#channel.listen((bytes) => {
      this.received += Buffer.from(bytes).toString("latin1");
      listener(bytes);
    });
  }

  pause(): void {
    this.#channel.pause();
  }

  resume(): void {
    this.#channel.resume();
  }

  send(text: string): Promise<void> {
    return this.#channel.send(text);
  }

  fail(error: Error, code: number): Promise<void> {
    return this.#channel.fail(error, code);
  }
}
