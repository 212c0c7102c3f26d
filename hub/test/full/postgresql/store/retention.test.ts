import assert from "node:assert/strict";
import { it } from "node:test";
import { addEvents } from "../../../../src/store/events.ts";
import { removeInstance } from "../../../../src/store/instances.ts";
import { deleteOld } from "../../../../src/store/retention.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { fillTables } from "../../../support/filled-tables.ts";
import { addInstance, now, syncEvent } from "../../../support/stored.ts";

const day = 24 * 3_600_000;
const { signal } = new AbortController();

const retention = { events: 30, jobs: 30, notifications: 30, audit: 365, removedInstances: 7 };

describeOnBothDatabases("retention", (databases) => {
  it("deletes what was kept for long enough, and what has expired", async () => {
    await using database = await databases.open();
    await fillTables(database.connection);

    const atOnce = await deleteOld(database, { retention, now }, signal);
    const afterADay = await deleteOld(database, { retention, now: now + 2 * day }, signal);
    const afterAMonth = await deleteOld(database, { retention, now: now + 31 * day }, signal);
    const afterAYear = await deleteOld(database, { retention, now: now + 366 * day }, signal);

    assert.deepEqual(atOnce, {});
    assert.deepEqual(afterADay, { sessions: 1, oidc_logins: 1, rate_limits: 1, bus_payloads: 1 });
    assert.deepEqual(afterAMonth, { events: 1, jobs: 1, invitations: 1 });
    assert.deepEqual(afterAYear, { audit: 1 });
  });

  it("deletes an instance that was removed, with all that it did", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const id = await addInstance(connection, "prod");
    await addEvents(connection, [syncEvent(id, "1")], now);
    await removeInstance(connection, id, now);

    const deleted = await deleteOld(database, { retention, now: now + 8 * day }, signal);

    assert.deepEqual(deleted, { instances: 1 });
    assert.deepEqual(await connection.selectFrom("events").select("id").execute(), []);
  });

  it("deletes any number, and stops when it's told to", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const id = await addInstance(connection, "prod");
    const events = Array.from({ length: 4_500 }, (_, index) => syncEvent(id, `${index}`));
    await addEvents(connection, events, now);

    await assert.rejects(deleteOld(database, { retention, now: now + 31 * day }, AbortSignal.abort()));
    const deleted = await deleteOld(database, { retention, now: now + 31 * day }, signal);

    assert.deepEqual(deleted, { events: 4_500 });
  });
});
