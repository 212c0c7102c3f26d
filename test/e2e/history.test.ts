import assert from "node:assert/strict";
import { it } from "node:test";
import { configMapPath, describeOnEmbeddedCluster, makeNamespace, until } from "@weir/testing";
import { KnownImages } from "../support/known-images.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";

interface Entry {
  readonly kind: string;
  readonly user: string;
  readonly revision: string;
  readonly message: string;
  readonly resources: readonly string[];
}

interface Page {
  readonly entries: readonly Entry[];
  readonly next: string;
}

describeOnEmbeddedCluster("fluxctl history", {}, (cluster) => {
  function started(repository: TestRepository, ...flags: readonly string[]): Promise<OwnFluxd> {
    const images = new KnownImages({
      "example.test/app": { "1": "2020-01-01T00:00:00Z", "2": "2020-01-02T00:00:00Z" },
    });
    return OwnFluxd.start({ repository, kubeconfigPath: cluster.kubeconfigPath, images, flags });
  }

  async function read(fluxd: OwnFluxd, ...args: readonly string[]): Promise<Page> {
    const { code, stdout, stderr } = await fluxctl(fluxd, "history", "-o", "json", ...args);
    assert.deepEqual([code, stderr], [0, ""]);
    return JSON.parse(stdout) as Page;
  }

  function told({ entries }: Page): readonly (readonly string[])[] {
    return entries.map(({ kind, user, message, resources }) => [kind, user, message, resources.join(" ")]);
  }

  it("tells who changed what, newest first, in git and in the cluster", async () => {
    const namespace = await makeNamespace(cluster.kube);
    const config = `${namespace}:configmap/config`;
    const app = "default:deployment/history-app";
    await using repository = await TestRepository.create({
      "app.yaml": deployment("history-app", "example.test/app:1"),
      "config.yaml": configMap("config", "v1", namespace),
    });
    await using fluxd = await started(repository, "--sync-on-drift");
    const release = [
      "release",
      "--workload",
      app,
      "--update-image=example.test/app:2",
      "--user=Ann <a@b.test>",
    ];
    assert.equal((await fluxctl(fluxd, ...release)).code, 0);
    await fluxctl(fluxd, "lock", "-w", app, "--user=Bob", "-m", "no more");
    await fluxctl(fluxd, "sync");
    await cluster.kube.patch(`${configMapPath("config", namespace)}?fieldManager=kubectl-edit`, {
      data: { key: "mine" },
    });
    await until("the drift", async () => (await read(fluxd, "--kind=drift")).entries.length > 0);

    const all = await read(fluxd);
    const ofConfig = await read(fluxd, config);
    const ofNamespace = await read(fluxd, "-n", namespace, "--kind=commit");
    const future = await read(fluxd, "--since", "2200-01-01T00:00:00Z");

    assert.deepEqual(
      told(all)
        .filter(([kind]) => kind !== "sync")
        .map((entry) =>
          entry.map((text) => text.replace(/ at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/, " at T")),
        ),
      [
        ["drift", "fluxd", "1 put back; changed by kubectl-edit at T", config],
        ["policy", "Bob", "no more", app],
        ["release", "Ann <a@b.test>", "Release example.test/app:2 to default:deployment/history-app", app],
        ["commit", "Dev <dev@example.test>", "initial", `${app} ${config}`],
      ],
    );
    assert.deepEqual(
      told(all).findLast(([kind]) => kind === "sync"),
      ["sync", "fluxd", "2 created", `${config} ${app}`],
    );
    assert.deepEqual(
      ofConfig.entries.map(({ kind }) => kind),
      ["drift", "sync", "commit"],
    );
    assert.deepEqual(told(ofNamespace), [
      ["commit", "Dev <dev@example.test>", "initial", `${app} ${config}`],
    ]);
    assert.deepEqual(future, { entries: [], next: "" });
  });

  it("goes on where a page ended, whatever happens in between", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("paged-a", "0") });
    for (const value of ["1", "2", "3"]) {
      await repository.push({ "a.yaml": configMap("paged-a", value) }, `change ${value}`);
    }
    await using fluxd = await started(repository);

    const first = await read(fluxd, "--limit=2", "--kind=commit");
    await repository.push({ "a.yaml": configMap("paged-a", "4") }, "change 4");
    await fluxctl(fluxd, "sync");
    const second = await read(fluxd, "--limit=2", "--kind=commit", "--before", first.next);
    const table = await fluxctl(fluxd, "history", "--limit=1", "--kind=commit");
    const refused = await fluxctl(fluxd, "history", "--before", "yesterday");

    const messages = ({ entries }: Page): readonly string[] => entries.map(({ message }) => message);
    assert.deepEqual(
      [messages(first), messages(second)],
      [
        ["change 3", "change 2"],
        ["change 1", "initial"],
      ],
    );
    assert.equal(table.stdout.split("\n").length, 3);
    assert.match(
      table.stdout,
      /^TIME +KIND +COMMIT +WHO +RESOURCES +MESSAGE\n.* commit +[0-9a-f]{7} +Dev +default:configmap\/paged-a +change 4\n$/,
    );
    assert.match(table.stderr, /^There is more; for the next page, add --before \S+\n$/);
    assert.deepEqual([refused.code, /isn't a place in the history/.test(refused.stderr)], [1, true]);
  });

  it("names only changes to paths that are synced, and what of a file was changed", async () => {
    const both = (value: string): string =>
      `${configMap("both-a", "same")}---\n${configMap("both-b", value)}`;
    await using repository = await TestRepository.create({
      "deploy/both.yaml": both("1"),
      "README.md": "hello",
    });
    await repository.push({ "README.md": "hello again" }, "words");
    await repository.push({ "deploy/both.yaml": both("2") }, "change b");
    await using fluxd = await started(repository, "--git-path=deploy");

    const all = await read(fluxd, "--kind=commit");
    const ofA = await read(fluxd, "configmap/both-a", "--kind=commit");

    assert.deepEqual(
      told(all).map(([, , message, resources]) => [message, resources]),
      [
        ["change b", "default:configmap/both-b"],
        ["initial", "default:configmap/both-a default:configmap/both-b"],
      ],
    );
    assert.deepEqual(
      ofA.entries.map(({ message }) => message),
      ["initial"],
    );
  });
});
