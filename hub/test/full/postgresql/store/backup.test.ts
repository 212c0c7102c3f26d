import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { it } from "node:test";
import { silentLogger } from "@weir/base";
import { sql } from "kysely";
import { backedUpTables, writeBackup } from "../../../../src/store/backup.ts";
import { Database } from "../../../../src/store/database.ts";
import { addEvents, undispatchedEventIds } from "../../../../src/store/events.ts";
import { migrate, migrateTo } from "../../../../src/store/migrate.ts";
import { RestoreError, restoreBackup } from "../../../../src/store/restore.ts";
import { replaceWorkloads } from "../../../../src/store/workloads.ts";
import { describeOnBothDatabases, describeOnServer } from "../../../support/databases.ts";
import { fillTables } from "../../../support/filled-tables.ts";
import { addConnectedInstance, now, syncEvent, workload } from "../../../support/stored.ts";

const { signal } = new AbortController();

describeOnBothDatabases("a backup", (databases) => {
  it("brings everything back, and what was under way isn't done again", async () => {
    const before = await databases.open();
    await fillTables(before.connection);
    const lines = await linesOf(before);
    const written = await contentOf(before);
    await before[Symbol.asyncDispose]();
    await using database = await databases.openBlank();

    const rows = await restoreBackup(database, { lines: Readable.from(lines), now }, signal);

    const expected = structuredClone(written);
    const [message] = expected["notification_outbox"] ?? [];
    Object.assign(message ?? {}, {
      state: "failed",
      ended_at: "2026-03-04T05:06:07.089+00:00",
      result: "restored from a backup",
    });
    assert.deepEqual(await contentOf(database), expected);
    assert.equal(rows, backedUpTables.length);
    const [added] = await addEvents(database.connection, [syncEvent("i1", "new")], now);
    assert.equal(added?.id, 2);
    assert.deepEqual(await undispatchedEventIds(database.connection, 10), [2]);
  });

  it("of an older version brings everything back, and reports no event again", async () => {
    const before = await databases.open();
    await migrateTo(before, "0014-rivals");
    await fillTables(before.connection);
    const lines = await linesOf(before);
    await before[Symbol.asyncDispose]();
    assert.match(lines.join("\n"), /"dispatched_at":null/);
    await using database = await databases.openBlank();

    await restoreBackup(database, { lines: Readable.from(lines), now }, signal);

    assert.deepEqual(await undispatchedEventIds(database.connection, 10), []);
    const [added] = await addEvents(database.connection, [syncEvent("i1", "new")], now);
    assert.deepEqual(await undispatchedEventIds(database.connection, 10), [added?.id]);
  });

  it("disconnects daemons, and loses the jobs that may have been done since", async () => {
    const before = await databases.open();
    await fillTables(before.connection);
    await sql`update instance_state set connected = true, console_id = 'c1', lease_id = 'l'`.execute(
      before.connection,
    );
    for (const [index, state] of ["queued", "sent", "running", "waiting-for-approval"].entries()) {
      await sql`insert into jobs select (jsonb_populate_record(j, ${JSON.stringify({
        id: `open-${index}`,
        idempotency_key: state,
        state,
        ended_at: null,
      })}::jsonb)).* from jobs as j where id = 'j1'`.execute(before.connection);
    }
    const lines = await linesOf(before);
    await before[Symbol.asyncDispose]();
    await using database = await databases.openBlank();

    await restoreBackup(database, { lines: Readable.from(lines), now }, signal);

    const { connection } = database;
    const { connected, leaseId } = await connection
      .selectFrom("instanceState")
      .selectAll()
      .executeTakeFirstOrThrow();
    const jobs = await connection.selectFrom("jobs").select("state").orderBy("id").execute();
    assert.deepEqual([connected, leaseId], [false, null]);
    assert.deepEqual(
      jobs.map(({ state }) => state),
      ["succeeded", "lost", "lost", "lost", "cancelled"],
    );
  });

  it("is refused, with nothing written, unless it's whole, known, and goes into an empty database", async () => {
    await using database = await databases.open();
    await fillTables(database.connection);
    const lines = await linesOf(database);
    const into = async (backup: readonly string[]): Promise<void> => {
      await assert.rejects(
        restoreBackup(database, { lines: Readable.from(backup), now }, signal),
        RestoreError,
      );
    };

    await into(lines);
    await sql`truncate instances, users, notification_channels, settings cascade`.execute(
      database.connection,
    );
    await database.transaction(async (connection) => {
      await sql`select set_config('weir.deletes_old_audit', 'on', true)`.execute(connection);
      await sql`delete from audit`.execute(connection);
    });
    await into([]);
    await into(["not a backup"]);
    await into(lines.slice(1));
    await into(lines.slice(0, -1));
    await into(lines.toSpliced(3, 1));
    await into([
      lines[0]?.replace(/"migration":"[^"]*"/, '"migration":"9999-newer"') ?? "",
      ...lines.slice(1),
    ]);
    await into(lines.map((line) => line.replace('"table":"settings"', '"table":"pg_authid"')));

    const content = await contentOf(database);
    assert.deepEqual(Object.values(content).flat(), []);
  });
});

describeOnServer("a backup of a server", (databases) => {
  it("can be restored into an embedded database, and back", async () => {
    await using server = await databases.open();
    const lease = await addConnectedInstance(server.connection, "prod");
    const workloads = Array.from({ length: 700 }, (_, index) => workload(`ns:deployment/app-${index}`));
    await replaceWorkloads(server.connection, lease, { workloads, now });
    await addEvents(server.connection, [syncEvent(lease.instanceId, "1", { message: "ü'\"\\\n" })], now);
    await using embedded = await Database.open({ kind: "memory" }, { log: silentLogger });
    await using other = await databases.openBlank();

    await restoreBackup(embedded, { lines: Readable.from(await linesOf(server)), now }, signal);
    await restoreBackup(other, { lines: Readable.from(await linesOf(embedded)), now }, signal);

    assert.deepEqual(await contentOf(other), await contentOf(embedded));
    assert.equal((await contentOf(other))["workloads"]?.length, 700);
    assert.deepEqual(await migrate(other), []);
  });
});

async function linesOf(database: Database): Promise<readonly string[]> {
  const lines: string[] = [];
  const write = (line: string): Promise<void> => {
    lines.push(line.trimEnd());
    return Promise.resolve();
  };
  await writeBackup(database, { write, now }, signal);
  return lines;
}

/** All rows of the tables in a backup. */
async function contentOf({ connection }: Database): Promise<Record<string, readonly object[]>> {
  const content: Record<string, readonly object[]> = {};
  for (const table of backedUpTables) {
    const { rows } = await sql<{
      readonly row: object;
    }>`select to_jsonb(t) as row from ${sql.table(table)} as t order by to_jsonb(t)::text collate "C"`.execute(
      connection,
    );
    content[table] = rows.map(({ row }) => row);
  }
  return content;
}
