import assert from "node:assert/strict";
import { it } from "node:test";
import { isJsonArray, isJsonObject, silentLogger } from "@weir/base";
import { FakeClock } from "@weir/testing";
import type { Bus } from "../../../src/bus/bus.ts";
import { Intake } from "../../../src/daemons/intake.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { addInstance, syncEvent } from "../../support/stored.ts";

describeOnBothDatabases("the intake of events", (databases) => {
  it("stores an event at once, and those that follow shortly after together", async () => {
    await using database = await databases.open();
    const instanceId = await addInstance(database.connection, "prod");
    const [clock, told] = [new FakeClock(), new Array<number>()];
    const bus: Bus = {
      publish: (_topic, message) => {
        told.push(isJsonObject(message) && isJsonArray(message["ids"]) ? message["ids"].length : 0);
        return Promise.resolve();
      },
      subscribe: () => () => undefined,
      onGap: () => () => undefined,
    };
    const intake = new Intake({ database, clock, log: silentLogger, bus });

    await intake.add(syncEvent(instanceId, "1"));
    const later = ["2", "3", "4"].map((each) => intake.add(syncEvent(instanceId, each)));
    await clock.sleeping(20);
    await clock.advance(20);
    await Promise.all(later);

    assert.deepEqual(told, [1, 3]);
  });
});
