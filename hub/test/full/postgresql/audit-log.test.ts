import assert from "node:assert/strict";
import { it } from "node:test";
import { FakeClock, RecordedLog } from "@weir/testing";
import { sql } from "kysely";
import type { Actor } from "../../../src/access/actor.ts";
import { AuditLog } from "../../../src/access/audit-log.ts";
import type { AuditRecord } from "../../../src/access/auditor.ts";
import { listAudit } from "../../../src/store/audit.ts";
import type { Database } from "../../../src/store/database.ts";
import type { Connection } from "../../../src/store/schema.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { now } from "../../support/stored.ts";

const ada: Actor = { kind: "user", userId: "u1", credentialId: "s1", name: "ada", grants: [] };

const record: AuditRecord = {
  actor: ada,
  action: "createJob",
  outcome: "done",
  instanceId: "i1",
  namespace: "shop",
  subject: "shop:deployment/cart",
  detail: { kind: "release" },
  address: "192.0.2.1",
};

describeOnBothDatabases("the audit log of the console's APIs", (databases) => {
  it("says who did what, also with a token", async () => {
    await using database = await databases.open();
    const { audit } = await logOver(database.connection);

    await audit.record(record);
    await audit.record({ ...record, actor: { ...ada, kind: "token", credentialId: "t1", tokenName: "ci" } });
    await audit.record({ ...record, actor: undefined, outcome: "refused" });

    const { items } = await list(database.connection);
    assert.deepEqual(
      items.map(({ actorKind, actorId, actorName, outcome }) => [actorKind, actorId, actorName, outcome]),
      [
        ["user", "", "", "refused"],
        ["token", "u1", "ada (token ci)", "done"],
        ["user", "u1", "ada", "done"],
      ],
    );
    const { action, instanceId, namespace, subject, detail, address } = record;
    const expected = { action, instanceId, namespace, subject, detail, address, at: new Date(now) };
    assert.partialDeepStrictEqual(items[2], expected);
  });

  it("isn't filled by strangers, and says what it left out", async () => {
    await using database = await databases.open();
    const { audit, clock } = await logOver(database.connection);
    const refused: AuditRecord = { ...record, actor: undefined, outcome: "refused" };

    await Promise.all(Array.from({ length: 210 }, () => audit.record(refused)));
    await audit.record(record);
    await clock.advance(1_000);
    await audit.record(refused);

    const [last, known] = (await list(database.connection)).items;
    assert.deepEqual(last?.detail, { kind: "release", omittedBefore: 10 });
    assert.deepEqual(known?.detail, { kind: "release" });
  });

  it("says that something begins, and then how it ended", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const { audit, clock } = await logOver(connection);

    const begun = await audit.begin({ ...record, actor: undefined, subject: "", detail: {} });
    await audit.begin(record);
    const during = await outcomes(connection);
    await clock.advance(60_000);
    await begun.end(record);

    assert.deepEqual(during, ["begun", "begun"]);
    const [, ended] = (await list(connection)).items;
    const { action, instanceId, namespace, subject, detail, address } = record;
    const expected = { action, instanceId, namespace, subject, detail, address, at: new Date(now) };
    assert.partialDeepStrictEqual(ended, { ...expected, outcome: "done", actorName: "ada" });
    const found = await listAudit(connection, { search: "cart" }, page);
    assert.equal(found.items.length, 2);
    assert.deepEqual(await outcomes(connection), ["begun", "done"]);
  });

  it("says again how something ended whose entry is gone", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const { audit } = await logOver(connection);
    const begun = await audit.begin(record);

    await database.transaction(async (transaction) => {
      await sql`select set_config('weir.deletes_old_audit', 'on', true)`.execute(transaction);
      await sql`delete from audit`.execute(transaction);
    });
    await begun.end(record);

    assert.deepEqual(await outcomes(connection), ["done"]);
  });

  it("lets strangers begin without an entry when there are too many, but not end what they did", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const { audit } = await logOver(connection);
    const login: AuditRecord = { ...record, actor: undefined, action: "logIn", detail: {} };
    await Promise.all(Array.from({ length: 199 }, () => audit.record({ ...login, outcome: "refused" })));

    const first = await audit.begin(login);
    const others = [await audit.begin(login), await audit.begin(login)];
    const during = await outcomes(connection);
    await first.end({ ...login, outcome: "failed" });
    await others[0]?.end({ ...login, outcome: "failed" });
    await others[1]?.end({ ...login, actor: ada });

    assert.equal(during.filter((outcome) => outcome === "begun").length, 1);
    const after = await outcomes(connection);
    assert.deepEqual(after.slice(0, 3), ["done", "failed", "refused"]);
  });

  it("lets nothing begin that it can't write down", async () => {
    await using database = await databases.open();
    const { audit, log } = await logOver(database.connection);

    await dropAudit(database);

    await assert.rejects(audit.begin(record), { name: "Problem", kind: "unavailable" });
    assert.equal(log.lines.length, 1);
    assert.match(log.lines[0] ?? "", /cannot write to the audit log.*createJob.*begun.*ada/);
  });

  it("only warns when it can't write down how something ended", async () => {
    await using database = await databases.open();
    const { audit, log } = await logOver(database.connection);
    const begun = await audit.begin(record);

    await dropAudit(database);
    await begun.end(record);

    assert.match(log.lines.join("\n"), /cannot write to the audit log.*createJob.*done.*ada/);
  });

  it("keeps nothing from being refused when it can't be written", async () => {
    await using database = await databases.open();
    const { audit, log } = await logOver(database.connection);

    await dropAudit(database);
    await audit.record(record);

    assert.equal(log.lines.length, 1);
    assert.match(log.lines[0] ?? "", /cannot write to the audit log.*createJob.*ada/);
  });
});

async function logOver(connection: Connection) {
  const [clock, log] = [new FakeClock(), new RecordedLog()];
  await clock.advance(now);
  return { audit: new AuditLog({ connection, clock, logger: log }), clock, log };
}

const page = { sort: "at", descending: true, limit: 200 } as const;

function list(connection: Connection) {
  return listAudit(connection, {}, page);
}

/** Of all entries, the newest first. */
async function outcomes(connection: Connection): Promise<readonly string[]> {
  return (await list(connection)).items.map(({ outcome }) => outcome);
}

async function dropAudit(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.schema.dropTable("audit").cascade().execute();
  });
}
