import assert from "node:assert/strict";
import { it } from "node:test";
import { silentLogger, systemClock } from "@weir/base";
import { until } from "@weir/testing";
import type { Actor } from "../../../src/access/actor.ts";
import { DatabaseBus } from "../../../src/bus/bus.ts";
import { change as changeForm } from "../../../src/contract/events.ts";
import { topics } from "../../../src/daemons/ports.ts";
import { LiveChanges } from "../../../src/program/live-changes.ts";
import { type LiveChange, shownTo } from "../../../src/rest/stream.ts";
import type { Database } from "../../../src/store/database.ts";
import { addEvents } from "../../../src/store/events.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { addInstance, now, syncEvent } from "../../support/stored.ts";

const everywhere: Actor = {
  ...{ kind: "user", userId: "u", credentialId: "c", name: "vera" },
  grants: [{ role: "viewer", instanceId: null, namespace: null }],
};

/** Live changes over a bus that runs until it's disposed. */
async function follow(database: Database) {
  const stop = new AbortController();
  const bus = new DatabaseBus({ database, clock: systemClock, log: silentLogger });
  let listens = false;
  bus.onGap(() => (listens = true));
  const live = new LiveChanges({ database, bus, log: silentLogger });
  const ended = bus.run(stop.signal);
  await until("the bus to listen", () => listens);
  return {
    live,
    publish: (topic: string, message: object) => bus.publish(topic, { ...message }),
    [Symbol.asyncDispose]: async () => {
      live[Symbol.dispose]();
      stop.abort();
      await ended;
    },
  };
}

describeOnBothDatabases("live changes", (databases) => {
  it("are events, states, and workloads, in the order in which they happened and of the form of the contract", async () => {
    await using database = await databases.open();
    await using followed = await follow(database);
    const { live, publish } = followed;
    const instanceId = await addInstance(database.connection, "prod");
    const changes: LiveChange[] = [];
    const unsubscribe = live.subscribe((change) => changes.push(change));

    const added = await addEvents(
      database.connection,
      [syncEvent(instanceId, "1"), syncEvent(instanceId, "2", { message: "another" })],
      now,
    );
    await publish(topics.events, { instanceIds: [instanceId], ids: [...added.map(({ id }) => id), 999_999] });
    await publish(topics.changes, { instanceId, workloads: [] });
    await publish(topics.changes, { instanceId, workloads: ["shop:deployment/cart"] });
    await publish(topics.changes, { instanceId, workloads: null });
    await publish(topics.jobs, { instanceId, jobId: "none" });
    await publish(topics.changes, { instanceId: "last", workloads: [] });
    await until("all changes", () =>
      changes.some((each) => each.type === "instance" && each.instanceId === "last"),
    );

    assert.deepEqual(
      changes.map((each) =>
        each.type === "event" ? `${each.event.instance.name}: ${each.event.message}` : each,
      ),
      [
        "prod: Sync: abc",
        "prod: another",
        { type: "instance", instanceId },
        { type: "instance", instanceId },
        { type: "workloads", instanceId, ids: ["shop:deployment/cart"] },
        { type: "instance", instanceId },
        { type: "workloads", instanceId, ids: [] },
        { type: "instance", instanceId: "last" },
      ],
    );
    assert.deepEqual(
      changes.map((each) => changeForm.parse(JSON.parse(JSON.stringify(shownTo(everywhere, each))))),
      changes,
    );
    assert.equal(live.listening, 1);
    unsubscribe();
    unsubscribe();
    assert.equal(live.listening, 0);
  });

  it("say that everything has to be read again if what changed can't be read", async () => {
    await using database = await databases.open();
    await using followed = await follow(database);
    const { live, publish } = followed;
    const changes: LiveChange[] = [];
    live.subscribe((change) => changes.push(change));

    await publish(topics.events, { instanceIds: ["prod"], ids: [1.5] });
    await until("a change", () => changes.length > 0);

    assert.deepEqual(changes, [{ type: "reload" }]);
  });
});
