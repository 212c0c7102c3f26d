import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { describeOnEachCluster } from "../support/clusters.ts";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { configMapPath } from "../support/kube.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";
import { until } from "../support/until.ts";

const rounds = 20;
/** Long enough to reach from the first line of the log to the end of the first job, in milliseconds. */
const span = 2500;

describeOnEachCluster("SIGTERM", (cluster) => {
  it(`at ${rounds} random moments leaves git whole and no lock, and the next start goes on`, async (t) => {
    await using repository = await TestRepository.create({
      "d.yaml": deployment("interrupted"),
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`c${index}.yaml`, configMap(`interrupted-${index}`)]),
      ),
    });

    for (let round = 0; round < rounds; round += 1) {
      await repository.pull();
      await repository.push({ "c0.yaml": configMap("interrupted-0", `round-${round}`) }, `round ${round}`);
      const delay = Math.floor(Math.random() * span);
      t.diagnostic(`round ${round}: after ${delay} ms`);
      await using fluxd = await Fluxd.start({
        gitUrl: repository.url,
        kubeconfigPath: cluster.kubeconfigPath,
      });
      const asked = fluxctl(
        fluxd,
        round % 2 === 0 ? "lock" : "unlock",
        "-n",
        "default",
        "--workload=deployment/interrupted",
      );
      await sleep(delay);

      const stoppedAt = Date.now();
      const { code, signal } = await fluxd.stop();

      // Before its first line it is not yet there to catch a signal, and there is nothing to be ended in order.
      const hadBegun = fluxd.log.includes("version=");
      assert.deepEqual(
        { code, signal },
        hadBegun ? { code: 0, signal: null } : { code: null, signal: "SIGTERM" },
        fluxd.log,
      );
      assert.ok(Date.now() - stoppedAt < 10_000, "ends within 10 s");
      await asked;
      await assertWhole(repository);
      assert.deepEqual(await leftovers(fluxd), [], "no clone is left behind");
    }

    await using fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath });
    await fluxd.ready();
    await repository.pull();
    const head = await repository.push({ "c0.yaml": configMap("interrupted-0", "the end") }, "after all");
    await fluxd.notify(repository.url);
    await until("the sync", async () => (await repository.synced()) === head);
    assert.deepEqual((await cluster.kube.get(configMapPath("interrupted-0")))?.data, { key: "the end" });
  });
});

async function assertWhole(repository: TestRepository): Promise<void> {
  await repository.upstream("fsck", "--strict", "--no-dangling");
  const refs = (await repository.upstream("for-each-ref", "--format=%(refname)")).split("\n");
  const expected = ["refs/heads/master", "refs/notes/flux", "refs/tags/flux-sync"];
  assert.deepEqual(
    refs.filter((ref) => ref !== "" && !expected.includes(ref)),
    [],
    "no write check or half-made ref is left",
  );
  const locks = (await readdir(repository.bare, { recursive: true })).filter((name) =>
    name.endsWith(".lock"),
  );
  assert.deepEqual(locks, []);
}

async function leftovers(fluxd: Fluxd): Promise<readonly string[]> {
  return (await readdir(join(fluxd.folder, "tmp"))).filter((name) => name.startsWith("flux-"));
}
