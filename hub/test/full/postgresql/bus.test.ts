import assert from "node:assert/strict";
import { it } from "node:test";
import { type JsonValue, silentLogger, systemClock } from "@weir/base";
import { until } from "@weir/testing";
import { DatabaseBus } from "../../../src/bus/bus.ts";
import { notify } from "../../../src/store/bus-payloads.ts";
import type { Database } from "../../../src/store/database.ts";
import { describeOnBothDatabases, describeOnServer } from "../../support/databases.ts";

/** A bus that runs until it's disposed, and what it delivered of the topic "t". */
class RunningBus implements AsyncDisposable {
  readonly bus: DatabaseBus;
  readonly received: JsonValue[] = [];
  gaps = 0;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor(database: Database) {
    this.bus = new DatabaseBus({ database, clock: systemClock, log: silentLogger });
    this.bus.subscribe("t", (message) => this.received.push(message));
    this.bus.onGap(() => (this.gaps += 1));
    this.#ended = this.bus.run(this.#stop.signal);
  }

  static async start(database: Database): Promise<RunningBus> {
    const bus = new RunningBus(database);
    await until("the bus to listen", () => bus.gaps === 1);
    return bus;
  }

  async receives(count: number): Promise<readonly JsonValue[]> {
    await until(`${count} messages`, () => this.received.length >= count);
    return this.received;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}

const long = { text: "ü\0'".repeat(50_000) };

describeOnBothDatabases("the bus", (databases) => {
  it("delivers messages in order, however long they are", async () => {
    await using database = await databases.open();
    await using running = await RunningBus.start(database);
    const messages = [1, long, "x".repeat(7_000), "é".repeat(7_000), null, { a: "\0" }];

    for (const message of messages) {
      await running.bus.publish("t", message);
    }

    assert.deepEqual(await running.receives(messages.length), messages);
  });

  it("delivers what a transaction sent when it's committed, and nothing of one that isn't", async () => {
    await using database = await databases.open();
    await using running = await RunningBus.start(database);

    await assert.rejects(
      database.transaction(async (transaction) => {
        await running.bus.publish("t", "undone", transaction);
        await running.bus.publish("t", long, transaction);
        throw new Error("stop");
      }),
      /stop/,
    );
    await database.transaction((transaction) => running.bus.publish("t", "done", transaction));

    assert.deepEqual(await running.receives(1), ["done"]);
  });

  it("delivers to those who are subscribed to the topic, until they aren't", async () => {
    await using database = await databases.open();
    await using running = await RunningBus.start(database);
    const heard: JsonValue[] = [];
    const unsubscribe = running.bus.subscribe("other", (message) => heard.push(message));

    await running.bus.publish("other", 1);
    await running.bus.publish("t", 2);
    await running.receives(1);
    unsubscribe();
    await running.bus.publish("other", 3);
    await running.bus.publish("t", 4);

    assert.deepEqual(await running.receives(2), [2, 4]);
    assert.deepEqual(heard, [1]);
  });

  it("goes on after a handler that throws, and a notification that isn't its own", async () => {
    await using database = await databases.open();
    await using running = await RunningBus.start(database);
    running.bus.subscribe("bad", () => {
      throw new Error("handler");
    });

    await running.bus.publish("bad", 1);
    await notify(database.connection, { channel: "weir_console", payload: "not ours" });
    await running.bus.publish("t", 2);

    assert.deepEqual(await running.receives(1), [2]);
  });

  it("says that there may be a gap if a long message is gone", async () => {
    await using database = await databases.open();
    await using running = await RunningBus.start(database);

    await database.transaction(async (transaction) => {
      await running.bus.publish("t", long, transaction);
      await transaction.deleteFrom("busPayloads").execute();
    });

    await until("the gap", () => running.gaps === 2);
    assert.deepEqual(running.received, []);
  });
});

describeOnServer("the bus between consoles", (databases) => {
  it("reaches all of them", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    await using first = await RunningBus.start(one);
    await using second = await RunningBus.start(other);

    await first.bus.publish("t", "hello");

    assert.deepEqual(await first.receives(1), ["hello"]);
    assert.deepEqual(await second.receives(1), ["hello"]);
  });

  it("goes on after the server was restarted, and says that there was a gap", async () => {
    await using database = await databases.open();
    await using running = await RunningBus.start(database);

    await databases.server.stop();
    await databases.server.start();
    await until("the bus to listen again", () => running.gaps === 2);
    await running.bus.publish("t", "again");

    assert.deepEqual(await running.receives(1), ["again"]);
  });
});
