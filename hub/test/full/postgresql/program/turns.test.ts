import assert from "node:assert/strict";
import { it } from "node:test";
import { silentLogger } from "@weir/base";
import { FakeClock, until } from "@weir/testing";
import { DatabaseBus } from "../../../../src/bus/bus.ts";
import { keepTidy } from "../../../../src/program/retention.ts";
import { addEvents } from "../../../../src/store/events.ts";
import { takeTurn } from "../../../../src/store/take-turn.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { addInstance, syncEvent } from "../../../support/stored.ts";

const hour = 3_600_000;
const day = 24 * hour;

describeOnBothDatabases("what one console has to do every so often", (databases) => {
  it("is the turn of one of those that try, until the time has passed", async () => {
    await using database = await databases.open();
    const take = (now: number, name = "retention"): Promise<boolean> =>
      takeTurn(database.connection, { name, everyMs: hour }, now);

    const atOnce = await Promise.all([take(day), take(day), take(day)]);

    assert.deepEqual(atOnce.toSorted(), [false, false, true]);
    assert.equal(await take(day + hour - 1), false);
    assert.equal(await take(day, "another"), true);
    assert.equal(await take(day + hour), true);
    assert.equal(await take(day + hour), false);
  });

  it("includes deleting what is old, again and again", async () => {
    await using database = await databases.open();
    const clock = new FakeClock();
    await clock.advance(1_000 * day);
    const { connection } = database;
    const id = await addInstance(connection, "prod");
    const retention = { events: 1, jobs: 1, notifications: 1, audit: 1, removedInstances: 1 };
    const stop = new AbortController();
    const count = async (): Promise<number> =>
      (await connection.selectFrom("events").select("id").execute()).length;

    const bus = new DatabaseBus({ database, clock, log: silentLogger });
    const tidied = keepTidy({ database, bus, retention, clock, log: silentLogger }, stop.signal);
    await clock.sleeping((ms) => ms > 0);
    await addEvents(connection, [syncEvent(id, "old")], clock.now());
    await clock.advance(day);
    await until("the old event to be deleted", async () => {
      await clock.advance(hour);
      return (await count()) === 0;
    });
    stop.abort();
    await tidied;

    assert.ok(clock.now() > 1_001 * day);
  });
});
