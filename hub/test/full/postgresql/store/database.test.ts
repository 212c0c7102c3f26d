import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import type { Database } from "../../../../src/store/database.ts";
import { addEvents, markDispatched, undispatchedEventIds } from "../../../../src/store/events.ts";
import { MigrationError, migrate, migrateTo, migrationStatus } from "../../../../src/store/migrate.ts";
import { describeOnBothDatabases, describeOnServer } from "../../../support/databases.ts";
import { fillTables } from "../../../support/filled-tables.ts";
import { addInstance, now, syncEvent } from "../../../support/stored.ts";

describeOnBothDatabases("the tables", (databases) => {
  it("are made once", async () => {
    await using database = await databases.openBlank();

    const first = await migrate(database);
    const second = await migrate(database);

    assert.deepEqual(
      first,
      (await migrationStatus(database)).map(({ name }) => name),
    );
    assert.deepEqual(second, []);
  });

  it("go down and up again, one migration after the other, while they're filled", async () => {
    await using database = await databases.open();
    const empty = await describeTables(database);
    const names = (await migrationStatus(database)).map(({ name }) => name);

    for (const target of ["none", ...names].toReversed()) {
      await migrateTo(database, names.at(-1) ?? "");
      await fillTables(database.connection);
      await migrateTo(database, target);
      await migrateTo(database, names.at(-1) ?? "");

      assert.equal(await describeTables(database), empty);
      await migrateTo(database, "none");
    }
    assert.equal(await describeTables(database), "");
  });

  it("keep the rows of other tables while a migration is undone", async () => {
    await using database = await databases.open();
    await fillTables(database.connection);
    const [first = "", second = ""] = (await migrationStatus(database)).map(({ name }) => name);

    await migrateTo(database, second);
    await migrate(database);

    const { rows } = await sql`select count(*) as count from workloads`.execute(database.connection);
    assert.deepEqual(rows, [{ count: 1 }]);
    assert.notEqual(first, second);
  });

  it("know which events were dispatched, by either version", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const id = await addInstance(connection, "prod");
    const events = ["a", "b", "c"].map((revision) => syncEvent(id, revision));
    const [, second, third] = await addEvents(connection, events, now);
    await markDispatched(connection, second?.id ?? 0);

    await migrateTo(database, "0014-rivals");
    const { rows } = await sql`select id from events where dispatched_at is null`.execute(connection);
    await migrate(database);

    assert.deepEqual(rows, [{ id: third?.id }]);
    assert.deepEqual(await undispatchedEventIds(connection, 10), [third?.id]);
    await markDispatched(connection, third?.id ?? 0);
    await migrateTo(database, "0014-rivals");
    await migrate(database);
    assert.deepEqual(await undispatchedEventIds(connection, 10), []);
  });

  it("aren't touched if a newer version made them", async () => {
    await using database = await databases.open();
    await sql`insert into kysely_migration (name, timestamp) values ('9999-newer', '2030-01-01')`.execute(
      database.connection,
    );

    await assert.rejects(migrate(database), MigrationError);
  });

  it("refuse changes to the audit log, but let old entries be deleted on purpose", async () => {
    await using database = await databases.open();
    await fillTables(database.connection);

    await assert.rejects(
      sql`update audit set action = 'other'`.execute(database.connection),
      /only be added to/,
    );
    await assert.rejects(sql`delete from audit`.execute(database.connection), /only be added to/);
    await assert.rejects(sql`truncate audit`.execute(database.connection), /only be added to/);
    await database.transaction(async (connection) => {
      await sql`select set_config('weir.deletes_old_audit', 'on', true)`.execute(connection);
      await sql`delete from audit`.execute(connection);
    });
    const { rows } = await sql`select id from audit`.execute(database.connection);
    assert.deepEqual(rows, []);
  });
});

describeOnBothDatabases("entries of the audit log that say that something begins", (databases) => {
  it("can say once how it ended, but nothing else about it", async () => {
    await using database = await databases.open();
    await fillTables(database.connection);
    const run = (statement: string) => sql.raw(statement).execute(database.connection);
    await run(`insert into audit (at, actor_kind, actor_id, actor_name, action, outcome, subject, detail, address, words)
      select at, actor_kind, actor_id, actor_name, action, 'begun', subject, '{}', address, words from audit`);
    const ending = "update audit set outcome = 'done'";
    const ofBegun = "where outcome = 'begun'";

    for (const statement of [
      `update audit set detail = '{}' ${ofBegun}`,
      `update audit set outcome = 'other' ${ofBegun}`,
      `${ending}, action = 'other' ${ofBegun}`,
      `${ending}, at = now() ${ofBegun}`,
      `${ending}, address = 'other' ${ofBegun}`,
      `${ending}, actor_id = 'other' ${ofBegun}`,
      `delete from audit ${ofBegun}`,
    ]) {
      await assert.rejects(run(statement), /only be added to/, statement);
    }
    await run(`${ending}, detail = '{"job": 1}' ${ofBegun}`);
    await assert.rejects(run("update audit set outcome = 'failed'"), /only be added to/);
  });

  it("have failed for versions that know nothing else", async () => {
    await using database = await databases.open();
    await sql`insert into audit (at, actor_kind, actor_id, actor_name, action, outcome, subject, detail, address, words)
      values (now(), 'user', 'u1', 'ada', 'createJob', 'begun', '', '{"kind": "release"}', '', '{}')`.execute(
      database.connection,
    );

    await migrateTo(database, "0011-confirmed-groups");

    const { rows } = await sql`select outcome, detail from audit`.execute(database.connection);
    assert.deepEqual(rows, [
      { outcome: "failed", detail: { kind: "release", problem: "It isn't known how it ended." } },
    ]);
    await assert.rejects(sql`update audit set subject = ''`.execute(database.connection), /only be added to/);
  });
});

/** What the database itself says about its tables, in lines. */
async function describeTables({ connection }: Database): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'public' and table_name not like 'kysely%'
    union all select indexdef from pg_indexes where schemaname = 'public' and tablename not like 'kysely%'
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid::regclass::text not like 'kysely%'
    union all select proname from pg_proc where pronamespace = 'public'::regnamespace
    order by 1`.execute(connection);
  return rows.map(({ line }) => line).join("\n");
}

describeOnBothDatabases("values", (databases) => {
  it("are the same when they're read as when they were stored", async () => {
    await using database = await databases.open();
    const stored = {
      big: 2 ** 40,
      bigs: [1, 2 ** 40],
      none: [],
      texts: ["a", 'b"\\,{}', ""],
      at: new Date("2026-02-03T04:05:06.789Z"),
      json: { list: [1, "zwei", null] },
    };

    const { rows } = await sql`select ${stored.big}::bigint as big, ${stored.bigs}::bigint[] as bigs,
      ${stored.none}::bigint[] as none, ${stored.texts}::text[] as texts, ${stored.at}::timestamptz as at,
      ${JSON.stringify(stored.json)}::jsonb as json`.execute(database.connection);

    assert.deepEqual(rows, [stored]);
  });

  it("are gone again if the transaction throws", async () => {
    await using database = await databases.open();

    const work = database.transaction(async (connection) => {
      await fillTables(connection);
      throw new Error("stop");
    });

    await assert.rejects(work, /stop/);
    const { rows } = await sql`select id from instances`.execute(database.connection);
    assert.deepEqual(rows, []);
  });
});

describeOnServer("a database on a server", (databases) => {
  it("is migrated once by several consoles that start at the same time", async () => {
    const url = await databases.createBlank();
    await using first = await databases.connect(url);
    await using second = await databases.connect(url);

    const done = await Promise.all([migrate(first), migrate(second)]);

    assert.equal(done.flat().length, (await migrationStatus(first)).length);
  });

  it("is reached again after the server was restarted", async () => {
    await using database = await databases.open();
    await sql`select 1`.execute(database.connection);

    await databases.server.stop();
    await assert.rejects(sql`select 1`.execute(database.connection));
    await databases.server.start();

    const { rows } = await sql`select 1 as one`.execute(database.connection);
    assert.deepEqual(rows, [{ one: 1 }]);
  });

  it("loses a transaction, and nothing else, if the server is restarted meanwhile", async () => {
    await using database = await databases.open();

    const work = database.transaction(async (connection) => {
      await fillTables(connection);
      await databases.server.stop();
      await databases.server.start();
      await sql`select 1`.execute(connection);
    });

    await assert.rejects(work);
    const { rows } = await sql`select id from instances`.execute(database.connection);
    assert.deepEqual(rows, []);
  });
});
