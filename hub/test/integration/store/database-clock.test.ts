import assert from "node:assert/strict";
import { it } from "node:test";
import { FakeClock, RecordedLog, until } from "@weir/testing";
import { DatabaseClock } from "../../../src/store/database-clock.ts";
import { databaseTime } from "../../../src/store/database-time.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

const minute = 60_000;

describeOnBothDatabases("the clock of consoles", (databases) => {
  it("has the database's time, whatever the machine's clock says, and goes on with it", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const [machine, log] = [new FakeClock(), new RecordedLog()];
    const before = await databaseTime(connection);

    const clock = await DatabaseClock.open({ connection, clock: machine, log });

    const time = clock.now();
    assert.ok(before <= time && time <= (await databaseTime(connection)), String(time));
    await machine.advance(1_000);
    assert.equal(clock.now(), time + 1_000);
    assert.match(
      log.lines.join("\n"),
      /the clock of this machine differs from the database's.*differenceSeconds=-\d+/,
    );
  });

  it("looks again and again, as clocks are set", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const [machine, log] = [new FakeClock(), new RecordedLog()];
    const clock = await DatabaseClock.open({ connection, clock: machine, log });
    const stop = new AbortController();
    const running = clock.run(stop.signal);
    await machine.sleeping((ms) => ms === minute);

    await machine.advance(minute);

    await until("the database's time", async () => clock.now() <= (await databaseTime(connection)));
    stop.abort();
    await running;
  });
});
