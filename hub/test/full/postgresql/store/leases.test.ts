import assert from "node:assert/strict";
import { it } from "node:test";
import {
  beat,
  forgetConsoles,
  holdsLease,
  type Lease,
  releaseLease,
  renewLeases,
  takeLease,
} from "../../../../src/store/leases.ts";
import type { Connection } from "../../../../src/store/schema.ts";
import { describeOnBothDatabases, describeOnServer } from "../../../support/databases.ts";
import { addInstance, now } from "../../../support/stored.ts";

function take(connection: Connection, lease: Lease): ReturnType<typeof takeLease> {
  return takeLease(connection, { ...lease, userAgent: "", protocol: "v11" }, now);
}

describeOnBothDatabases("leases", (databases) => {
  it("belong to the newest connection, which learns whose place it takes", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const instanceId = await addInstance(connection, "prod");
    const first = { instanceId, consoleId: "c1", leaseId: "l1" };
    const second = { instanceId, consoleId: "c2", leaseId: "l2" };

    assert.equal(await take(connection, first), undefined);
    assert.deepEqual(await take(connection, second), { consoleId: "c1", leaseId: "l1" });

    assert.equal(await holdsLease(connection, second), true);
    assert.deepEqual([...(await renewLeases(connection, ["l1", "l2"], now))], ["l2"]);
    assert.equal(await releaseLease(connection, first, now), false);
    assert.equal(await releaseLease(connection, second, now), true);
    assert.equal(await holdsLease(connection, second), false);
  });

  it("end with the console that held them", async () => {
    await using database = await databases.open();
    const { connection } = database;
    for (const id of ["dead", "stopped", "alive"]) {
      const instanceId = await addInstance(connection, id);
      await beat(connection, { id, address: "", version: "0.1.0" }, id === "dead" ? now - 60_000 : now);
      await take(connection, { instanceId, consoleId: id, leaseId: id });
    }
    const unknown = await addInstance(connection, "unknown");
    await take(connection, { instanceId: unknown, consoleId: "never there", leaseId: "never there" });

    const deadSince = new Date(now - 30_000);
    const freed = await forgetConsoles(connection, { deadSince, stopped: "stopped" }, now);

    assert.equal(freed.length, 3);
    assert.deepEqual(
      (await connection.selectFrom("consoles").select("id").execute()).map(({ id }) => id),
      ["alive"],
    );
    assert.deepEqual(await forgetConsoles(connection, { deadSince }, now), []);
  });
});

describeOnServer("leases of several consoles", (databases) => {
  it("are given to connections one after the other, each of which learns of the one before", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    const instanceId = await addInstance(one.connection, "prod");
    const leases = Array.from({ length: 20 }, (_, index) => ({
      instanceId,
      consoleId: "c",
      leaseId: `l${index}`,
    }));

    const before = await Promise.all(
      leases.map((lease, index) => take((index % 2 === 0 ? one : other).connection, lease)),
    );

    const state = one.connection.selectFrom("instanceState").select("leaseId");
    const last = await state.where("instanceId", "=", instanceId).executeTakeFirst();
    const seen = [...before, last].flatMap((holder) => holder?.leaseId ?? []);
    assert.deepEqual(seen.toSorted(), leases.map(({ leaseId }) => leaseId).toSorted());
  });
});
