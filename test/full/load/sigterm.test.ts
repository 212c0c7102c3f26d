import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { configMapPath, describeOnEachCluster, type ProgramEnd, until } from "@weir/testing";
import { CountedGit } from "../../support/counted-git.ts";
import { Fluxd, fluxctl } from "../../support/fluxd.ts";
import { configMap, deployment } from "../../support/manifests.ts";
import { TestRepository } from "../../support/repository.ts";

const rounds = 20;

describeOnEachCluster("SIGTERM", (cluster) => {
  it(`at ${rounds} moments leaves git whole and no lock, and the next start goes on`, async (t) => {
    /** How often git is started from the start of fluxd to the end of its first job, as the first round finds out. */
    let starts = Number.POSITIVE_INFINITY;
    await using repository = await TestRepository.create({
      "d.yaml": deployment("interrupted"),
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`c${index}.yaml`, configMap(`interrupted-${index}`)]),
      ),
    });

    for (let round = 0; round < rounds; round += 1) {
      await repository.pull();
      await repository.push({ "c0.yaml": configMap("interrupted-0", `round-${round}`) }, `round ${round}`);
      const moment = Math.floor((starts * (round + 1)) / (rounds + 1));
      t.diagnostic(`round ${round}: when git was started ${moment} times`);
      using git = new CountedGit();
      await using fluxd = await Fluxd.start({
        gitUrl: repository.url,
        kubeconfigPath: cluster.kubeconfigPath,
        env: { PATH: `${git.programs}:${process.env["PATH"] ?? ""}` },
      });
      const asked = ask(fluxd, round % 2 === 0 ? "lock" : "unlock");
      let isAnswered = false;
      void asked.then(() => (isAnswered = true));
      await until("the moment", () => git.starts >= moment || isAnswered);
      starts = Math.min(starts, round === 0 ? git.starts : starts);

      let exit: ProgramEnd | undefined;
      void fluxd.stop().then((ended) => (exit = ended));
      const { code, signal } = await until("fluxd to end", () => exit);

      // Before its first line it is not yet there to catch a signal, and there is nothing to be ended in order.
      const hadBegun = fluxd.log.includes("version=");
      assert.deepEqual(
        { code, signal },
        hadBegun ? { code: 0, signal: null } : { code: null, signal: "SIGTERM" },
        fluxd.log,
      );
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

/** Gives it a job as soon as it takes any; resolves when the job is done, or fluxd is gone. */
async function ask(fluxd: Fluxd, command: "lock" | "unlock"): Promise<void> {
  let isGone = false;
  void fluxd.exited.then(() => (isGone = true));
  await until("the API", async () => isGone || (await fetch(`${fluxd.apiUrl}/v11/version`)).ok);
  await fluxctl(fluxd, command, "-n", "default", "--workload=deployment/interrupted");
}

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
