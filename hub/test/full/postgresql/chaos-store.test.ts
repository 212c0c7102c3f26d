import assert from "node:assert/strict";
import { it } from "node:test";
import { Dice, TempFolder } from "@weir/testing";
import { assertEnded, assertNothingLost, ChaosWorld } from "../../support/chaos-world.ts";
import { ConsoleProcess } from "../../support/console-process.ts";
import { describeOnServer } from "../../support/databases.ts";

const [daemons, jobsPerDaemon, blows] = [6, 5, 10];

describeOnServer("consoles whose database, processes, and daemons come and go", (databases) => {
  for (const seed of [1, 2]) {
    it(`lose no event that they took, and have no job done twice (seed ${seed})`, async () => {
      const dice = new Dice(seed);
      using folder = new TempFolder();
      await using world = await ChaosWorld.start({
        ...{ databases, dice, daemons, jobsPerDaemon, isWeir },
        startConsole: (databaseUrl, port) =>
          ConsoleProcess.start({ databaseUrl, port, log: `${folder.path}/${port}.log` }),
      });

      await world.suffer(blows);
      const outcome = await world.calmDown();

      assertNothingLost(outcome);
      // Nobody can ask Flux v1 for a job of which it never said the ID.
      assertEnded(outcome, (instance) => (isWeir(instance) ? "failed" : "lost"));
      assert.equal(outcome.jobs.length, daemons * jobsPerDaemon);
    });
  }
});

/** Half of the daemons are Weir's. */
function isWeir(instance: string): boolean {
  return Number(instance.split("-")[1]) % 2 === 0;
}
