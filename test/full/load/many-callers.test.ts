import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnEachCluster } from "@weir/testing";
import { Fluxd, fluxctl } from "../../support/fluxd.ts";
import { deployment } from "../../support/manifests.ts";
import { TestRepository } from "../../support/repository.ts";

const callers = 50;

describeOnEachCluster("many callers at once", (cluster) => {
  it("get right answers, reading and writing", async () => {
    const names = Array.from({ length: callers }, (_, at) => `many-${at}`);
    const files = names.map((name) => [`${name}.yaml`, deployment(name)] as const);
    await using repository = await TestRepository.create(Object.fromEntries(files));
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--sync-timeout=5m"],
    });
    await fluxd.synced(repository);
    const alone = await fluxctl(fluxd, "list-workloads");

    const lists = await Promise.all(names.map(() => fluxctl(fluxd, "list-workloads")));

    assert.ok(names.every((name) => alone.stdout.includes(`deployment/${name} `)));
    assert.deepEqual([...new Set(lists.map(({ stdout }) => stdout))], [alone.stdout]);
    const locks = await Promise.all(
      names.map((name) => fluxctl(fluxd, "lock", "-w", `deployment/${name}`, "-m", name, "--timeout=10m")),
    );
    assert.deepEqual(
      locks.map(({ code, stdout }, at) => [code, stdout.includes(`deployment/many-${at} `)]),
      names.map(() => [0, true]),
    );
    const messages = await repository.upstream(
      "log",
      "--format=%s",
      "--invert-grep",
      "--grep=initial",
      "master",
    );
    assert.deepEqual(messages.split("\n").toSorted(), names.toSorted());
  });
});
