import assert from "node:assert/strict";
import { after, it } from "node:test";
import { type Clock, isJsonArray, isJsonObject, systemClock, textAt } from "@weir/base";
import { createTransport } from "@weir/http";
import { FakeClock, RecordedLog, serve, until } from "@weir/testing";
import { Channels } from "../../../src/notify/channels.ts";
import { Courier } from "../../../src/notify/courier.ts";
import { dispatchEvents } from "../../../src/notify/dispatch.ts";
import { NotificationWorker } from "../../../src/notify/worker.ts";
import { SecretBox } from "../../../src/secret-box/secret-box.ts";
import type { Database } from "../../../src/store/database.ts";
import { addEvents, briefEventsById, undispatchedEventIds } from "../../../src/store/events.ts";
import { createRule, type RuleValues } from "../../../src/store/notifications.ts";
import { claimMessage, settleMessage } from "../../../src/store/outbox.ts";
import { describeOnBothDatabases, describeOnServer } from "../../support/databases.ts";
import { type StandIn, webhookStandIn } from "../../support/service-stand-ins.ts";
import { addInstance, syncEvent } from "../../support/stored.ts";

const transport = createTransport({ connections: 8 });
after(() => transport.close());

const key = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const box = new SecretBox([Buffer.alloc(32, 1)]);

/** The machine's clock, ahead by as much as a test says, and in a hurry when a test has seen enough. */
class ShiftedClock implements Clock {
  ahead = 0;
  hurry = false;

  now(): number {
    return systemClock.now() + this.ahead;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(this.hurry ? Math.min(ms, 50) : ms, signal);
  }
}

/** One console's worker, which runs until it's disposed. */
class RunningWorker implements AsyncDisposable {
  readonly clock = new ShiftedClock();
  readonly log = new RecordedLog();
  readonly worker: NotificationWorker;
  readonly channels: Channels;
  readonly #stop = new AbortController();
  readonly #run: Promise<void>;

  constructor(database: Database) {
    const { clock } = this;
    const courier = new Courier({ transport, privateHosts: ["127.0.0.1"], clock });
    this.channels = new Channels({ database, courier, box, clock });
    this.worker = new NotificationWorker({
      database,
      courier,
      box,
      clock,
      eventUrl: (id) => `https://console.example.com/events/${id}`,
      random: () => 0.5,
      log: this.log,
    });
    this.#run = this.worker.run(this.#stop.signal);
  }

  /** Makes it look, as if so much time had passed. */
  pass(ms: number): void {
    this.clock.ahead += ms;
    this.worker.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.clock.hurry = true;
    this.#stop.abort();
    await this.#run;
  }
}

async function addChannel({ channels }: RunningWorker, name: string, url: string): Promise<string> {
  return channels.create({ name, enabled: true, settings: { kind: "webhook", url, key } }, null);
}

/** Adds a channel through which a test sends nothing. */
function addWebhook(database: Database, clock: Clock): Promise<string> {
  const courier = new Courier({ transport, privateHosts: [], clock });
  const settings = { kind: "webhook", url: "https://hooks.example.com", key };
  return new Channels({ database, courier, box, clock }).create(
    { name: "one", enabled: true, settings },
    null,
  );
}

function addRule(database: Database, channelId: string, changes: Partial<RuleValues> = {}): Promise<string> {
  const values: RuleValues = {
    name: "all",
    enabled: true,
    channelId,
    instances: [],
    namespaces: [],
    eventTypes: [],
    severities: [],
    title: "",
    body: "",
    groupBy: ["instance", "type"],
    groupSeconds: 0,
    ...changes,
  };
  return createRule(database.connection, values, { by: null, now: Date.now() });
}

/** Stores events of an instance, with these messages. */
async function report(database: Database, instanceId: string, messages: readonly string[]): Promise<void> {
  await addEvents(
    database.connection,
    messages.map((message) => syncEvent(instanceId, message, { message })),
    Date.now(),
  );
}

/** The messages of the events that a receiver got, by request. */
function messagesOf({ received }: StandIn): string[][] {
  return received.map(({ body }) => {
    const data = body["data"];
    const events = isJsonObject(data) && isJsonArray(data["events"]) ? data["events"] : [];
    return events.map((event) => (isJsonObject(event) ? textAt(event["message"] ?? null, "message") : ""));
  });
}

/** The states of all messages, in their order. */
async function results(database: Database): Promise<readonly string[]> {
  return (await outcomes(database)).map(({ state }) => state);
}

async function outcomes(
  database: Database,
): Promise<readonly { readonly state: string; readonly attempts: number; readonly result: string }[]> {
  const query = database.connection.selectFrom("notificationOutbox").select(["state", "attempts", "result"]);
  return query.orderBy("id").execute();
}

/** How many events weren't compared with the rules. */
async function undispatched(database: Database): Promise<number> {
  return (await undispatchedEventIds(database.connection, 10_000)).length;
}

describeOnBothDatabases("notifications", (databases) => {
  it("are sent once, in order, to the channels of the rules that match", async () => {
    await using database = await databases.open();
    await using console = new RunningWorker(database);
    await using one = await webhookStandIn(key);
    await using two = await webhookStandIn(key);
    const instance = await addInstance(database.connection, "prod-eu");
    await addRule(database, await addChannel(console, "one", one.url));
    await addRule(database, await addChannel(console, "two", two.url), { eventTypes: ["release"] });

    await report(database, instance, ["a", "b", "c"]);
    console.worker.wake();
    await until("all events are reported", () => one.received.length === 3);

    assert.deepEqual(messagesOf(one), [["a"], ["b"], ["c"]]);
    assert.deepEqual(two.received, []);
  });

  it("tell a channel of nothing but the namespaces of its rule", async () => {
    await using database = await databases.open();
    await using receiver = await webhookStandIn(key);
    await using running = new RunningWorker(database);
    const instanceId = await addInstance(database.connection, "prod");
    const channelId = await addChannel(running, "shop", receiver.url);
    await addRule(database, channelId, { namespaces: ["sho*"] });
    const shared = {
      ...{ namespaces: ["ops", "shop"], workloadIds: ["ops:secret/passwords", "shop:deployment/cart"] },
      message: "Sync: abc, ops:secret/passwords, shop:deployment/cart",
    };

    await addEvents(database.connection, [syncEvent(instanceId, "shared", shared)], Date.now());
    running.worker.wake();
    await until("the message", () => receiver.received.length > 0);

    const sent = JSON.stringify(receiver.received.map(({ body }) => body));
    assert.ok(sent.includes("shop:deployment/cart") && !sent.includes("ops"), sent);
  });

  it("of a group are collected until the end of the window", async () => {
    await using database = await databases.open();
    await using console = new RunningWorker(database);
    await using receiver = await webhookStandIn(key);
    const instance = await addInstance(database.connection, "prod-eu");
    await addRule(database, await addChannel(console, "one", receiver.url), { groupSeconds: 600 });

    await report(database, instance, ["a"]);
    console.worker.wake();
    await until("the first event is reported", async () => (await results(database)).join() === "sent");
    await report(database, instance, ["b"]);
    console.worker.wake();
    await until("the second event waits", async () => (await results(database)).join() === "sent,pending");
    await report(database, instance, ["c", "d"]);
    console.pass(599_000);
    await until("all events are dispatched", async () => (await undispatched(database)) === 0);
    assert.equal(receiver.received.length, 1);
    console.pass(2_000);
    await until("the others are reported", () => receiver.received.length === 2);

    assert.deepEqual(messagesOf(receiver), [["a"], ["b", "c", "d"]]);
  });

  it("are tried again in order when a service was unavailable, with the same ID", async () => {
    await using database = await databases.open();
    await using console = new RunningWorker(database);
    await using receiver = await webhookStandIn(key);
    receiver.replies.push({ status: 429, body: "slow down", headers: { "Retry-After": "3600" } });
    const instance = await addInstance(database.connection, "prod-eu");
    const channel = await addChannel(console, "one", receiver.url);
    await addRule(database, channel);

    await report(database, instance, ["a", "b"]);
    console.worker.wake();
    await until("the channel waits", async () => (await console.channels.get(channel)).retryAt !== null);
    const { lastError, retryAt } = await console.channels.get(channel);
    console.pass(3_595_000);
    await report(database, instance, ["c"]);
    console.worker.wake();
    await until("all events are dispatched", async () => (await undispatched(database)) === 0);
    assert.equal(receiver.received.length, 1);
    console.pass(10_000);
    await until("all events are reported", () => receiver.received.length === 4);

    assert.equal(lastError, "HTTP 429: slow down");
    assert.ok((retryAt?.getTime() ?? 0) > Date.now() + 3_500_000);
    assert.deepEqual(messagesOf(receiver), [["a"], ["a"], ["b"], ["c"]]);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    assert.equal(ids[0], ids[1]);
    assert.equal(new Set(ids).size, 3);
    await until(
      "the channel is good again",
      async () => (await console.channels.get(channel)).lastError === "",
    );
    assert.deepEqual(
      console.log.lines.map((line) => line.replace(/channel=\S+/, "channel=…")),
      [
        "component=notify warning=cannot deliver notifications channel=… kind=webhook err=HTTP 429: slow down",
        "component=notify info=delivers notifications again channel=… kind=webhook",
      ],
    );
  });

  it("that a service refuses are given up, and the next ones are sent", async () => {
    await using database = await databases.open();
    await using console = new RunningWorker(database);
    await using receiver = await webhookStandIn(key);
    receiver.replies.push({ status: 400, body: "not this one" });
    const instance = await addInstance(database.connection, "prod-eu");
    await addRule(database, await addChannel(console, "one", receiver.url));

    await report(database, instance, ["a", "b"]);
    console.worker.wake();
    await until("both are settled", async () => (await results(database)).join() === "failed,sent");

    assert.deepEqual(await outcomes(database), [
      { state: "failed", attempts: 1, result: "HTTP 400: not this one" },
      { state: "sent", attempts: 1, result: "HTTP 204" },
    ]);
  });

  it("that can't be delivered for a day are given up", async () => {
    await using database = await databases.open();
    await using console = new RunningWorker(database);
    await using receiver = await webhookStandIn(key);
    receiver.replies.push({ status: 503, body: "" }, { status: 503, body: "" });
    const instance = await addInstance(database.connection, "prod-eu");
    const channel = await addChannel(console, "one", receiver.url);
    await addRule(database, channel);

    await report(database, instance, ["a"]);
    console.worker.wake();
    await until("the channel waits", async () => (await console.channels.get(channel)).retryAt !== null);
    console.pass(24 * 3_600_000);
    await until("it's settled", async () => (await results(database)).join() === "failed");

    assert.deepEqual(await outcomes(database), [
      { state: "failed", attempts: 2, result: "HTTP 503; given up after a day" },
    ]);
  });

  it("don't wait for the channels of others that hang", async () => {
    await using database = await databases.open();
    await using hanging = await serve(() => undefined);
    await using receiver = await webhookStandIn(key);
    const instance = await addInstance(database.connection, "prod-eu");
    await using console = new RunningWorker(database);
    await addRule(database, await addChannel(console, "hangs", hanging.url));
    await addRule(database, await addChannel(console, "works", receiver.url));

    await report(database, instance, ["a", "b"]);
    console.worker.wake();
    await until("the other channel has its messages", () => receiver.received.length === 2);

    assert.deepEqual(hanging.asked, ["POST /"]);
  });

  it("that are being sent are waited for when the console stops, and given back when that takes too long", async () => {
    await using database = await databases.open();
    await using hanging = await serve(() => undefined);
    const instance = await addInstance(database.connection, "prod-eu");
    const console = new RunningWorker(database);
    await addRule(database, await addChannel(console, "hangs", hanging.url));
    await report(database, instance, ["a"]);
    console.worker.wake();
    await until("the message is being sent", () => hanging.asked.length === 1);

    await console[Symbol.asyncDispose]();

    const channels = await database.connection
      .selectFrom("notificationChannels")
      .select("claimedBy")
      .execute();
    assert.deepEqual(channels, [{ claimedBy: null }]);
    assert.deepEqual(await outcomes(database), [{ state: "pending", attempts: 1, result: "" }]);
  });

  it("aren't made for events that no rule wants, and for channels that are disabled", async () => {
    await using database = await databases.open();
    await using console = new RunningWorker(database);
    await using receiver = await webhookStandIn(key);
    const instance = await addInstance(database.connection, "prod-eu");
    const channel = await addChannel(console, "one", receiver.url);
    await addRule(database, channel);
    await console.channels.change(channel, { enabled: false });

    await report(database, instance, ["a"]);
    console.worker.wake();
    await until("the event is dispatched", async () => (await undispatched(database)) === 0);

    assert.deepEqual(await outcomes(database), []);
  });
});

describeOnBothDatabases("a channel that can't keep up", (databases) => {
  it("gets the events of a flood in few messages, in order, although its rule groups nothing", async () => {
    await using database = await databases.open();
    const instance = await addInstance(database.connection, "prod-eu");
    await addRule(database, await addWebhook(database, systemClock));
    const messages = Array.from({ length: 3_500 }, (_, index) => `event ${index}`);
    await report(database, instance, messages);

    while (await dispatchEvents(database, () => "", systemClock)) {
      // There are more.
    }

    const query = database.connection.selectFrom("notificationOutbox").select("eventIds").orderBy("id");
    const waiting = (await query.execute()).map(({ eventIds }) => eventIds);
    assert.ok(waiting.length <= 1_005, `${waiting.length} messages`);
    assert.equal(waiting.flat().length, messages.length);
    assert.deepEqual(
      waiting.flat(),
      waiting.flat().toSorted((a, b) => a - b),
    );
  });
});

describeOnBothDatabases("messages that are due at the same time", (databases) => {
  it("are sent in the order of their events", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const clock = new FakeClock();
    await clock.advance(Date.now());
    const instance = await addInstance(connection, "prod-eu");
    await addRule(database, await addWebhook(database, clock));
    const messages = Array.from({ length: 20 }, (_, index) => `event ${index}`);

    for (const message of messages) {
      await report(database, instance, [message]);
      await dispatchEvents(database, () => "", clock);
    }

    const sent: string[] = [];
    for (;;) {
      const claimed = await claimMessage(connection, clock.now(), 1_000);
      if (claimed === undefined) {
        break;
      }
      sent.push(...(await briefEventsById(connection, claimed.eventIds)).map(({ message }) => message));
      const end = { state: "sent", result: "", unavailable: false, retryAt: null } as const;
      await settleMessage(connection, claimed, { ...end, now: new Date(clock.now()) });
    }
    assert.deepEqual(sent, messages);
  });
});

describeOnServer("several consoles", (databases) => {
  it("send each message once, and those of a channel in order", async () => {
    const url = await databases.create();
    await using database = await databases.connect(url);
    await using other = await databases.connect(url);
    await using receivers = new AsyncDisposableStack();
    await using one = new RunningWorker(database);
    await using two = new RunningWorker(other);
    const instance = await addInstance(database.connection, "prod-eu");
    const services: StandIn[] = [];
    for (const name of ["a", "b", "c"]) {
      const service = receivers.use(await webhookStandIn(key));
      services.push(service);
      await addRule(database, await addChannel(one, name, service.url));
    }
    const messages = Array.from({ length: 40 }, (_, index) => `event ${index}`);

    for (let at = 0; at < messages.length; at += 10) {
      await report(at % 20 === 0 ? database : other, instance, messages.slice(at, at + 10));
      one.worker.wake();
      two.worker.wake();
    }
    await until("all events are reported", () => services.every(({ received }) => received.length >= 40));

    for (const service of services) {
      assert.deepEqual(
        messagesOf(service),
        messages.map((message) => [message]),
      );
    }
  });

  it("keep events in order when one had to wait before it could compare them", async () => {
    const url = await databases.create();
    await using database = await databases.connect(url);
    await using other = await databases.connect(url);
    const clock = new FakeClock();
    await clock.advance(Date.now());
    const instance = await addInstance(database.connection, "prod-eu");
    await addRule(database, await addWebhook(database, clock));
    const free = Promise.withResolvers<boolean>();
    const busy = Array.from({ length: 3 }, () => other.transaction(() => free.promise));

    const waiting = dispatchEvents(other, () => "", clock);
    await clock.advance(1_000);
    await report(database, instance, ["a"]);
    await dispatchEvents(database, () => "", clock);
    await report(database, instance, ["b"]);
    free.resolve(true);
    await Promise.all([waiting, ...busy]);

    const first = await claimMessage(database.connection, clock.now(), 1_000);
    const [event] = await briefEventsById(database.connection, first?.eventIds ?? []);
    assert.deepEqual([event?.message, await undispatched(database)], ["a", 0]);
  });

  it("take over the channel of one that died, and send what it may have sent with the same ID", async () => {
    const url = await databases.create();
    await using database = await databases.connect(url);
    await using receiver = await webhookStandIn(key);
    const instance = await addInstance(database.connection, "prod-eu");
    await using console = new RunningWorker(database);
    await addRule(database, await addChannel(console, "one", receiver.url));
    await report(database, instance, ["a"]);
    await dispatchEvents(database, () => "", systemClock);
    const claimed = await claimMessage(database.connection, Date.now(), 1_000);

    console.pass(2_000);
    await until("the message is sent", async () => (await results(database)).join() === "sent");

    assert.equal(receiver.received[0]?.headers["webhook-id"], `msg_${claimed?.id}`);
    assert.deepEqual(await outcomes(database), [{ state: "sent", attempts: 2, result: "HTTP 204" }]);
  });

  it("lose nothing while the database is restarted", async () => {
    const url = await databases.create();
    await using database = await databases.connect(url);
    await using receiver = await webhookStandIn(key);
    await using console = new RunningWorker(database);
    const instance = await addInstance(database.connection, "prod-eu");
    await addRule(database, await addChannel(console, "one", receiver.url));
    await report(database, instance, ["a"]);
    console.worker.wake();
    await until("the first event is reported", async () => (await results(database)).join() === "sent");

    await databases.server.stop();
    console.worker.wake();
    await until("the failure is logged", () => console.log.lines.length > 0);
    await databases.server.start();
    await report(database, instance, ["b"]);
    console.worker.wake();
    await until("the second event is reported", () => receiver.received.length === 2);

    assert.deepEqual(messagesOf(receiver), [["a"], ["b"]]);
  });
});
