import assert from "node:assert/strict";
import { it } from "node:test";
import { noteSyncs } from "../../../src/store/instance-syncs.ts";
import { createInstance, findInstance } from "../../../src/store/instances.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

describeOnBothDatabases("the last sync of an instance", (databases) => {
  it("is the newest that was noted, with the last revision that was named", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const instanceId = await createInstance(connection, { name: "prod", description: "", tokenHash: "1" }, 0);
    const note = (seconds: number, revision: string): Promise<void> =>
      noteSyncs(connection, [{ instanceId, at: new Date(seconds * 1000), revision }]);

    await noteSyncs(connection, []);
    await note(2, "c2");
    await note(1, "c1");
    await note(3, "");

    const found = await findInstance(connection, instanceId, "everything");
    assert.deepEqual([found?.lastSyncAt, found?.lastSyncRevision], [new Date(3000), "c2"]);
  });
});
