import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { silentLogger } from "@weir/base";
import { TempFolder } from "@weir/testing";
import { Database } from "../../../src/store/database.ts";
import { FolderInUseError, holdFolder } from "../../../src/store/hold-folder.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { fillTables } from "../../support/filled-tables.ts";

describe("a database in a folder", () => {
  it("is there again when it's opened again, and is opened once at a time", async () => {
    using folder = new TempFolder();
    const location = { kind: "folder", path: join(folder.path, "new", "data") } as const;
    {
      await using database = await Database.open(location, { log: silentLogger });
      await migrate(database);
      await fillTables(database.connection);

      await assert.rejects(Database.open(location, { log: silentLogger }), FolderInUseError);
    }

    await using database = await Database.open(location, { log: silentLogger });

    assert.deepEqual(await migrate(database), []);
    assert.equal((await database.connection.selectFrom("events").selectAll().execute()).length, 1);
  });

  it("can be held again after it was let go", async () => {
    using folder = new TempFolder();
    const hold = await holdFolder(folder.path);

    await assert.rejects(holdFolder(join(folder.path, ".", "")), FolderInUseError);
    await hold[Symbol.asyncDispose]();
    await using again = await holdFolder(folder.path);

    assert.ok(again);
  });
});
