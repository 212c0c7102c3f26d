import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { dedent, until } from "@weir/testing";
import { Fluxd } from "../support/fluxd.ts";
import { automatedDeployment, configMap } from "../support/manifests.ts";
import { MemoryRegistry } from "../support/memory-registry.ts";
import { pushImage } from "../support/registry-push.ts";
import { TestRepository } from "../support/repository.ts";

const polling = 'msg="polling for new images for automated workloads"';

describe("rounds of automation", () => {
  let registry: MemoryRegistry;
  before(async () => {
    registry = await MemoryRegistry.start();
  });
  after(() => registry[Symbol.asyncDispose]());

  async function push(repository: string, ...tags: readonly string[]): Promise<string> {
    for (const tag of tags) {
      await pushImage(registry, { repository, tag, created: "2020-01-01T00:00:00Z" });
    }
    return `${registry.host}/${repository}`;
  }

  function start(repository: TestRepository): Promise<Fluxd> {
    return Fluxd.start({
      gitUrl: repository.url,
      flags: [
        "--embedded-cluster",
        "--registry-disable-scanning=false",
        `--registry-insecure-host=${registry.host}`,
        "--memcached-hostname=",
        "--automation-interval=500ms",
      ],
    });
  }

  it("make one commit of all that is new, and none where nothing is", async () => {
    const [app, side] = [
      await push("rounds/app", "1.0.0", "1.1.0"),
      await push("rounds/side", "1.0.0", "1.2.0"),
    ];
    const files = {
      "deployment.yaml": workload("apps/v1", "Deployment", `${app}:1.0.0`, `${side}:1.0.0`),
      "daemon-set.yaml": workload("apps/v1", "DaemonSet", `${app}:1.0.0`, `${side}:1.0.0`),
      "stateful-set.yaml": workload("apps/v1", "StatefulSet", `${app}:1.0.0`, `${side}:1.0.0`),
      "cron-job.yaml": cronJob(`${app}:1.0.0`, `${side}:1.0.0`),
      "locked.yaml": automatedDeployment("locked", `${app}:1.0.0`, "semver:^1").replace(
        "annotations:\n",
        'annotations:\n    fluxcd.io/locked: "true"\n',
      ),
      "ignored.yaml": automatedDeployment("ignored", `${app}:1.0.0`, "semver:^1").replace(
        "annotations:\n",
        'annotations:\n    fluxcd.io/ignore: "true"\n',
      ),
    };
    await using repository = await TestRepository.create(files);
    await using fluxd = await start(repository);
    await fluxd.synced(repository);

    await fluxd.notifyImage(registry.host, "rounds/side");
    await fluxd.notifyImage(registry.host, "rounds/app");
    const show = (path: string): Promise<string> => repository.upstream("show", `master:${path}`);
    await until("both releases", async () => {
      const text = await show("deployment.yaml");
      return text.includes(`${app}:1.1.0`) && text.includes(`${side}:1.2.0`);
    });
    const head = await repository.upstream("rev-parse", "master");
    const before = fluxd.log.length;
    await until("more rounds", () => fluxd.log.slice(before).split(polling).length > 4);

    assert.equal(await repository.upstream("rev-parse", "master"), head);
    for (const path of ["deployment.yaml", "daemon-set.yaml", "stateful-set.yaml", "cron-job.yaml"]) {
      const text = await show(path);
      assert.ok(text.includes(`image: ${app}:1.1.0`) && text.includes(`image: ${side}:1.2.0`), text);
    }
    for (const path of ["locked.yaml", "ignored.yaml"] as const) {
      assert.equal(`${await show(path)}\n`, files[path]);
    }
    const commits = (await repository.upstream("log", "--format=%s", "master")).split("\n");
    assert.ok(commits.length <= 3, `more than one commit for each of the two scans: ${commits.join()}`);
  });

  it("begin from what others have pushed meanwhile, after a push that was refused", async () => {
    const app = await push("rounds/race", "1.0.0", "1.1.0");
    await using repository = await TestRepository.create({
      "app.yaml": automatedDeployment("race", `${app}:1.0.0`, "semver:^1"),
    });
    await using fluxd = await start(repository);
    await fluxd.synced(repository);
    // fluxd is not told, and looks at git by itself once an hour.
    await repository.push({ "other.yaml": configMap("other") }, "meanwhile");

    await fluxd.notifyImage(registry.host, "rounds/race");
    await until("the release", async () =>
      (await repository.upstream("show", "master:app.yaml")).includes(":1.1.0"),
    );

    await fluxd.logged(/success=false err=.*(fetch first|rejected)/);
    const titles = (await repository.upstream("log", "--format=%s", "master")).split("\n");
    assert.deepEqual(titles, [`Auto-release ${app}:1.1.0`, "meanwhile", "initial"]);
  });
});

/** A workload with a container and one that comes before it. */
function workload(apiVersion: string, kind: string, image: string, initImage: string): string {
  return dedent(`
    apiVersion: ${apiVersion}
    kind: ${kind}
    metadata:
      name: all
      namespace: default
      annotations:
        fluxcd.io/automated: "true"
        filter.fluxcd.io/main: semver:^1
        filter.fluxcd.io/first: semver:^1
    spec:
      ${kind === "StatefulSet" ? "serviceName: all" : "minReadySeconds: 0"}
      selector:
        matchLabels: {app: all-${kind.toLowerCase()}}
      template:
        metadata:
          labels: {app: all-${kind.toLowerCase()}}
        spec:
          initContainers:
            - name: first
              image: ${initImage}
          containers:
            - name: main
              image: ${image}
  `);
}

function cronJob(image: string, second: string): string {
  return dedent(`
    apiVersion: batch/v1
    kind: CronJob
    metadata:
      name: all
      namespace: default
      annotations:
        fluxcd.io/automated: "true"
        fluxcd.io/tag.main: semver:^1
        fluxcd.io/tag.second: semver:^1
    spec:
      schedule: "0 3 * * *"
      jobTemplate:
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: main
                  image: ${image}
                - name: second
                  image: ${second}
  `);
}
