import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachBounded } from "@weir/base";
import { until } from "@weir/testing";
import { describeOnServer } from "../../support/databases.ts";
import { SimulatedDaemon } from "../../support/simulated-daemon.ts";
import { TestConsole } from "../../support/test-console.ts";
import { deployments } from "../../support/workload-reports.ts";

/** How many daemons connect at the same moment. */
const count = 200;

describeOnServer("a storm of daemons that all connect at once", (databases) => {
  it("is over when each of them was read", async () => {
    await using database = await databases.connect(await databases.create());
    await using console = await TestConsole.start(database);
    const names = Array.from({ length: count }, (_, index) => `instance-${index}`);
    await forEachBounded(names, 10, async (name) => {
      await console.addInstance(name, name);
    });
    const answers = { listWorkloads: () => Promise.resolve(deployments(10)) };

    // A busy machine can be too slow for 200 handshakes at once; fluxd dials again, too.
    const daemons = await Promise.all(
      names.map((token) =>
        until(`${token} to be connected`, () => SimulatedDaemon.connect(console.url, { token, answers })),
      ),
    );
    await until("all to be read", async () => {
      const rows = await database.connection
        .selectFrom("instanceState")
        .select("instanceId")
        .where("connected", "=", true)
        .where("gitStatus", "=", "ready")
        .execute();
      return rows.length === count;
    });

    assert.equal(console.hub.connections, count);
    const { length } = await database.connection.selectFrom("workloads").select("id").execute();
    assert.equal(length, count * 10);
    await Promise.all(daemons.map((daemon) => daemon[Symbol.asyncDispose]()));
  });
});
