import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silentLogger } from "@weir/base";
import { freePort } from "@weir/testing";
import { explainEnd } from "../../../src/program/start-error.ts";
import { Database } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { describeOnBothDatabases, describeOnServer } from "../../support/databases.ts";

/** What the program would say. */
async function endOf(url: string): Promise<string> {
  await using database = await Database.open({ kind: "server", url }, { log: silentLogger });
  return await migrate(database).then(() => "", explainEnd);
}

describe("a database that can't be reached", () => {
  it("is explained without the password", async () => {
    const port = await freePort();
    const text = await endOf(`postgresql://weir:hunter2@127.0.0.1:${port}/weir`);

    assert.equal(
      text,
      `cannot use the database: connect ECONNREFUSED 127.0.0.1:${port}: check the host and the port in DATABASE_URL, and that PostgreSQL runs and can be reached`,
    );
  });
});

describeOnServer("a server without the database", (databases) => {
  it("is explained", async () => {
    assert.equal(
      await endOf(databases.server.url("nowhere")),
      'cannot use the database: database "nowhere" does not exist: create the database, or correct its name in DATABASE_URL',
    );
  });
});

describeOnBothDatabases("a database of a newer version", (databases) => {
  it("is explained", async () => {
    await using database = await databases.openBlank();
    await migrate(database);
    await database.connection
      .$extendTables<{ kyselyMigration: { name: string; timestamp: string } }>()
      .insertInto("kyselyMigration")
      .values({ name: "9999-later", timestamp: new Date().toISOString() })
      .execute();

    assert.equal(
      explainEnd(await migrate(database).catch((error: unknown) => error)),
      "a newer version of weir-console has changed the tables of this database: run that version, or go back with its `migrate --down-to` first",
    );
  });
});
