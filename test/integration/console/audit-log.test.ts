import assert from "node:assert/strict";
import { it } from "node:test";
import { FakeClock, RecordedLog } from "@weir/testing";
import type { Actor } from "../../../src/console/access/actor.ts";
import { AuditLog } from "../../../src/console/access/audit-log.ts";
import type { AuditRecord } from "../../../src/console/access/auditor.ts";
import { listAudit } from "../../../src/console/store/audit.ts";
import type { Connection } from "../../../src/console/store/schema.ts";
import { describeOnBothDatabases } from "../../support/console/databases.ts";
import { now } from "../../support/console/stored.ts";

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

  it("keeps nothing from being done when it can't be written", async () => {
    await using database = await databases.open();
    const { audit, log } = await logOver(database.connection);

    await database.transaction(async (transaction) => {
      await transaction.schema.dropTable("audit").cascade().execute();
    });
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

function list(connection: Connection) {
  return listAudit(connection, {}, { sort: "at", descending: true, limit: 10 });
}
