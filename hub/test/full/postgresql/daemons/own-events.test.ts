import assert from "node:assert/strict";
import { it } from "node:test";
import { systemClock } from "@weir/base";
import { parseResourceId } from "@weir/flux";
import type { ApiServer } from "@weir/flux/api";
import { until } from "@weir/testing";
import { EventLog } from "../../../../../src/daemon/event-log.ts";
import type { Database } from "../../../../src/store/database.ts";
import { listEvents, type StoredEvent } from "../../../../src/store/events.ts";
import { removeInstance } from "../../../../src/store/instances.ts";
import { describeOnBothDatabases, describeOnServer } from "../../../support/databases.ts";
import { TestConsole } from "../../../support/test-console.ts";

const web = parseResourceId("shop:deployment/web");
const token = "t0ken";
const git = {
  ...{ url: "ssh://git@git.test/repo", branch: "master", path: "" },
  publicSshKey: { key: "", fingerprints: {}, randomart: "" },
} as const;
const restless = { heartbeat: 20, gone: 100 };

describeOnBothDatabases("events that no daemon posts", (databases) => {
  it("are taken from the log of a Weir daemon, once, with what's new while it's connected", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const log = newLog();
    log.addFailure("Sync failed: cannot clone https://ann:hush@git.test/repo");
    log.add({
      workloads: [web],
      startedAt: new Date(),
      endedAt: new Date(),
      logLevel: "info",
      detail: { type: "sync", commits: [], includes: {}, errors: [], initialSync: false },
    });
    const first = await connectWith(console, log);
    await eventsWhen(database, 1);

    log.addPutBack([web]);
    await eventsWhen(database, 2);
    await first[Symbol.asyncDispose]();
    await console.instanceWhen(instanceId, "the end", ({ connected }) => !connected);
    log.addNotice("suspend", "ann suspended syncing");
    await connectWith(console, log);

    const found = await eventsWhen(database, 3);
    assert.deepEqual(
      found.map(({ type, severity, message, namespaces, workloadIds }) => [
        ...[type, severity, message, namespaces, workloadIds],
      ]),
      [
        ["failure", "error", "Sync failed: cannot clone https://git.test/repo", [], []],
        ["drift", "warning", `Put back as in git: ${web}`, ["shop"], [web]],
        ["suspend", "info", "ann suspended syncing", [], []],
      ],
    );
  });

  it("say of a daemon of Flux v1 once what's wrong with it", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database, { reading: 50 });
    const instanceId = await console.addInstance("prod", token);
    let errors = "git clone: no such host";
    const answers: Partial<ApiServer> = {
      gitRepoConfig: () => Promise.resolve({ ...git, status: errors === "" ? "ready" : "new", errors }),
    };
    const first = await console.connect({ token, answers });

    await console.instanceWhen(instanceId, "the problem", ({ problem }) => problem !== "");
    await first[Symbol.asyncDispose]();
    await console.connect({ token, answers });
    await console.instanceWhen(instanceId, "it to be back", ({ connected }) => connected);
    errors = "";
    await console.instanceWhen(instanceId, "the end of the problem", ({ problem }) => problem === "");

    assert.deepEqual(
      (await allEvents(database)).map(({ type, severity, message }) => [type, severity, message]),
      [["failure", "error", "git clone: no such host"]],
    );
  });

  it("say that a daemon is gone, that it's back, and that none has ever come", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database, restless);
    const instanceId = await console.addInstance("prod", token);
    await console.addInstance("empty", "other");
    const removed = await console.addInstance("removed", "removed");
    await removeInstance(database.connection, removed, Date.now());
    const daemon = await console.connect({ token });
    await console.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);

    await daemon[Symbol.asyncDispose]();
    const gone = await until("it to be gone", async () =>
      (await allEvents(database)).find(
        (each) => each.type === "disconnect" && each.instanceId === instanceId,
      ),
    );
    await console.connect({ token });

    const told = await eventsWhen(database, 3);
    assert.deepEqual([gone.severity, gone.namespaces], ["error", []]);
    assert.match(gone.message, /^The daemon has not been connected since 20\d\d-.* UTC\.$/);
    assert.deepEqual(
      told.map(({ type, message }) => `${type}: ${message.replace(/ at 20.*| since 20.*/, "")}`).toSorted(),
      [
        "connect: The daemon is connected again. It was gone",
        "disconnect: No daemon has connected since the instance was added",
        "disconnect: The daemon has not been connected",
      ],
    );
  });
});

describeOnServer("events that no daemon posts, with several consoles", (databases) => {
  it("are told once", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    await using here = await TestConsole.start(one, restless);
    await using there = await TestConsole.start(other, restless);
    const instanceId = await here.addInstance("prod", token);
    const log = newLog();
    log.addPutBack([web]);
    const daemon = await connectWith(here, log);
    await eventsWhen(one, 1);

    await connectWith(there, log);
    await daemon.closed;
    log.addFailure("Sync failed: no");
    await eventsWhen(other, 2);
    await here[Symbol.asyncDispose]();
    await there[Symbol.asyncDispose]();
    await using last = await TestConsole.start(one, restless);
    await using next = await TestConsole.start(other, restless);
    const found = await eventsWhen(one, 3);
    await connectWith(last, log);
    await last.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);
    const told = await eventsWhen(one, 4);

    assert.equal(next.hub.connections, 0);
    assert.deepEqual(
      found.map(({ type }) => type),
      ["drift", "failure", "disconnect"],
    );
    assert.deepEqual(
      told.map(({ type }) => type),
      ["drift", "failure", "disconnect", "connect"],
    );
  });
});

function newLog(): EventLog {
  return new EventLog(systemClock, { count: 100, weight: 1_000_000 });
}

function connectWith(console: TestConsole, log: EventLog): ReturnType<TestConsole["connect"]> {
  return console.connect({
    token,
    inspection: { events: (query, stop) => log.events(query, stop) },
  });
}

async function allEvents({ connection }: Database): Promise<readonly StoredEvent[]> {
  const page = { sort: "at", descending: false, limit: 100 } as const;
  const { items } = await listEvents(connection, { scope: "everything" }, page);
  return items.toSorted((a, b) => a.id - b.id);
}

function eventsWhen(database: Database, count: number): Promise<readonly StoredEvent[]> {
  return until(`${count} events`, async () => {
    const found = await allEvents(database);
    return found.length >= count && found;
  });
}
