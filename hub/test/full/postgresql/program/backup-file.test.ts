import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { systemClock } from "@weir/base";
import { TempFolder } from "@weir/testing";
import { restoreBackupFile, writeBackupFile } from "../../../../src/program/backup-file.ts";
import { addEvents } from "../../../../src/store/events.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { fillTables } from "../../../support/filled-tables.ts";
import { addInstance, now, syncEvent } from "../../../support/stored.ts";

const { signal } = new AbortController();
const clock = systemClock;

describeOnBothDatabases("a backup in a file", (databases) => {
  it("is compressed, for its owner only, and can be restored into an empty database", async () => {
    using folder = new TempFolder();
    const file = join(folder.path, "backup.gz");
    let rows: number;
    {
      await using database = await databases.open();
      await fillTables(database.connection);
      const id = await addInstance(database.connection, "many");
      const message = "x".repeat(2_000);
      const events = Array.from({ length: 500 }, (_, at) => syncEvent(id, `${at}`, { message }));
      await addEvents(database.connection, events, now);
      rows = await writeBackupFile({ database, file, clock }, signal);
    }

    await using restored = await databases.openBlank();
    const count = await restoreBackupFile({ database: restored, file, clock }, signal);

    assert.ok(rows > 500);
    assert.equal(count, rows);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(gunzipSync(readFileSync(file)).toString().trimEnd().split("\n").length, rows + 2);
    assert.deepEqual(readdirSync(folder.path), ["backup.gz"]);
    const again = join(folder.path, "again.gz");
    assert.equal(await writeBackupFile({ database: restored, file: again, clock }, signal), rows);
  });

  it("leaves nothing behind if it can't be written, or is broken off", async () => {
    using folder = new TempFolder();
    await using database = await databases.open();
    await fillTables(database.connection);
    const file = join(folder.path, "backup.gz");

    await assert.rejects(writeBackupFile({ database, file, clock }, AbortSignal.abort()), {
      name: "AbortError",
    });
    const nowhere = join(folder.path, "none", "backup.gz");
    await assert.rejects(writeBackupFile({ database, file: nowhere, clock }, signal), { name: "StartError" });

    assert.deepEqual(readdirSync(folder.path), []);
  });

  it("is refused if it can't be read, is no backup, or was cut off", async () => {
    using folder = new TempFolder();
    const file = join(folder.path, "backup.gz");
    await using database = await databases.open();
    await fillTables(database.connection);
    await writeBackupFile({ database, file, clock }, signal);
    const whole = readFileSync(file);
    await using blank = databases.kind === "pglite" ? database : await databases.openBlank();
    const refused = async (name: string): Promise<void> => {
      const restored = restoreBackupFile({ database: blank, file, clock }, signal);
      await assert.rejects(restored, { name });
    };

    writeFileSync(file, "not compressed");
    await refused("StartError");
    writeFileSync(file, gzipSync("no backup\n"));
    await refused("RestoreError");
    writeFileSync(file, whole.subarray(0, whole.length - 40));
    await refused(databases.kind === "pglite" ? "RestoreError" : "StartError");
    const missing = join(folder.path, "missing");
    await assert.rejects(restoreBackupFile({ database: blank, file: missing, clock }, signal), {
      name: "StartError",
      message: `cannot read the backup ${missing}: open ${missing}: no such file or directory: name a file that \`weir-console backup\` has written`,
    });
  });
});
