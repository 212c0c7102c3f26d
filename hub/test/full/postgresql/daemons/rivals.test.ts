import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { it } from "node:test";
import { until } from "@weir/testing";
import { answeredInstance } from "../../../../src/operations/listed-instances.ts";
import { listEvents } from "../../../../src/store/events.ts";
import { forgetRivals } from "../../../../src/store/rivals.ts";
import { describeOnBothDatabases, describeOnServer } from "../../../support/databases.ts";
import { SimulatedDaemon } from "../../../support/simulated-daemon.ts";
import { TestConsole } from "../../../support/test-console.ts";

const token = "t0ken";

describeOnBothDatabases("an instance", (databases) => {
  it("says that two daemons take turns with its token, once, until they don't", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database, { rivalry: 100 });
    const instanceId = await console.addInstance("prod", token);
    await using rivals = new TakingTurns([console.url, console.url]);

    const instance = await console.instanceWhen(instanceId, "both to be seen", ({ hasRivals }) => hasRivals);
    await rivals[Symbol.asyncDispose]();
    const { items } = await listEvents(
      database.connection,
      { scope: "everything", types: ["failure"] },
      { sort: "at", descending: false, limit: 10 },
    );

    assert.match(answeredInstance(instance).problem, /^Two daemons connect with the token of this instance/);
    assert.equal(items.length, 1);
    const now = Date.now();
    assert.deepEqual(await forgetRivals(database.connection, now), []);
    assert.deepEqual(await forgetRivals(database.connection, now + 300_000), [instanceId]);
    assert.equal(answeredInstance(await console.instance(instanceId)).problem, "");
  });

  it("has no rivals while a rollout replaces its daemon", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    await using rivals = new TakingTurns([console.url, console.url]);

    await until("some turns", () => rivals.turns >= 6);
    const { replacedSince, hasRivals } = await console.instance(instanceId);

    assert.notEqual(replacedSince, null);
    assert.equal(hasRivals, false);
  });

  it("has no rivals if its daemon lost a connection that is still open here", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database, { rivalry: 0 });
    const instanceId = await console.addInstance("prod", token);
    const lost = await silentConnection(console.url);
    await console.instanceWhen(instanceId, "the connection", ({ connected }) => connected);

    await console.connect({ token });
    await once(lost, "close");
    const api = (await console.hub.daemon(instanceId)).api;
    await api.version(new AbortController().signal);

    const { replacedAt, hasRivals } = await console.instance(instanceId);
    assert.deepEqual([replacedAt, hasRivals], [null, false]);
  });
});

describeOnServer("an instance of several consoles", (databases) => {
  it("says that two daemons take turns, whichever consoles they're connected to", async () => {
    await using database = await databases.open();
    await using first = await TestConsole.start(database, { rivalry: 300 });
    await using second = await TestConsole.start(database, { rivalry: 300 });
    const instanceId = await first.addInstance("prod", token);
    await using rivals = new TakingTurns([first.url, second.url]);

    await first.instanceWhen(instanceId, "both to be seen", ({ hasRivals }) => hasRivals);

    assert.ok(rivals.turns > 2);
  });
});

/** A daemon's connection of which it doesn't know any more: it answers nothing, not even that it ends. */
async function silentConnection(url: string): Promise<Socket> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    [
      `GET ${pathname}/v11/daemon HTTP/1.1`,
      `Host: ${hostname}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
      "Sec-WebSocket-Version: 13",
      `Authorization: Scope-Probe token=${token}`,
      "\r\n",
    ].join("\r\n"),
  );
  await once(socket, "data");
  socket.on("data", () => undefined);
  return socket;
}

/** Daemons of which each connects again as soon as its connection has ended. */
class TakingTurns implements AsyncDisposable {
  turns = 0;
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(urls: readonly string[]) {
    this.#running = Promise.all(urls.map((url) => this.#run(url)));
  }

  async #run(url: string): Promise<void> {
    const stopped = new Promise<void>((resolve) =>
      this.#stop.signal.addEventListener("abort", () => resolve()),
    );
    while (!this.#stop.signal.aborted) {
      await using daemon = await SimulatedDaemon.connect(url, { token });
      this.turns += 1;
      await Promise.race([daemon.closed, stopped]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}
