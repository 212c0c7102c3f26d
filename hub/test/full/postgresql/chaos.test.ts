import assert from "node:assert/strict";
import { it } from "node:test";
import { Dice, TempFolder } from "@weir/testing";
import { assertEnded, assertNothingLost, ChaosWorld } from "../../support/chaos-world.ts";
import { ConsoleServer } from "../../support/console-server.ts";
import { describeOnServer } from "../../support/databases.ts";

const [daemons, jobsPerDaemon, blows] = [4, 4, 4];

describeOnServer("the built console whose database, processes, and daemons come and go", (databases) => {
  it("loses no event that it took, and has no job done twice", async () => {
    using folder = new TempFolder();
    const key = folder.write("key", `${Buffer.alloc(32, 7).toString("base64")}\n`);
    const flags = [`--secret-key-file=${key}`];
    await using world = await ChaosWorld.start({
      ...{ databases, dice: new Dice(3), daemons, jobsPerDaemon },
      isWeir: () => true,
      startConsole: (databaseUrl, port) =>
        ConsoleServer.start({ folder: folder.path, databaseUrl, port, flags, built: true }),
    });

    await world.suffer(blows);
    const outcome = await world.calmDown();

    assertNothingLost(outcome);
    assertEnded(outcome, () => "failed");
    assert.equal(outcome.jobs.length, daemons * jobsPerDaemon);
  });
});
