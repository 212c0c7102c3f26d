import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { isJsonObject } from "@weir/base";
import {
  configMapPath,
  dedent,
  deploymentPath,
  describeOnEmbeddedCluster,
  processEnd,
  TempFolder,
  until,
} from "@weir/testing";
import { Fluxd } from "../support/fluxd.ts";
import { KnownImages } from "../support/known-images.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";

/** A tool that makes manifests of a base and an overlay, as kustomize does. */
const build = dedent(`
  #!/bin/sh
  set -e
  . "$1/overlay.env"
  for file in "$1"/../base/*.txt; do
    echo ---
    sed -e "s/PREFIX/$prefix/g" -e "s/replicas: .*/replicas: $replicas/" "$file"
  done
`);

describeOnEmbeddedCluster("generators", {}, (cluster) => {
  const start = (repository: TestRepository, flags: readonly string[] = [], env = {}): Promise<Fluxd> =>
    Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--manifest-generation", "--sync-garbage-collection", ...flags],
      env,
    });

  it("make what is synced; what they make no more is deleted, and policies go into the patch file", async () => {
    await using repository = await TestRepository.create({
      "build.sh": build,
      "base/web.txt": deployment("PREFIX-web"),
      "base/conf.txt": configMap("PREFIX-conf"),
      "prod/overlay.env": "prefix=overlaid replicas=3\n",
      "prod/.flux.yaml": dedent(`
        version: 1
        patchUpdated:
          generators:
          - command: sh ../build.sh .
          patchFile: flux-patch.yaml
      `),
      "stray.yaml": configMap("overlaid-stray"),
    });
    await using fluxd = await start(repository, ["--git-path=prod"]);
    await fluxd.synced(repository);
    const web = deploymentPath("overlaid-web");
    const spec = (await cluster.kube.get(web))?.spec;
    assert.equal(isJsonObject(spec) && spec["replicas"], 3);
    assert.equal(await cluster.kube.get(configMapPath("overlaid-stray")), undefined);

    const automated = await fluxctl(fluxd, "automate", "-n", "default", "-w", "deployment/overlaid-web");
    const locked = await fluxctl(fluxd, "lock", "-n", "default", "-w", "deployment/overlaid-web");

    assert.deepEqual([automated.code, locked.code], [0, 0], automated.stderr + locked.stderr);
    assert.match(
      await repository.upstream("show", "--stat", "--format=%s", "master"),
      /prod\/flux-patch\.yaml/,
    );
    assert.match(
      await repository.upstream("show", "master:prod/flux-patch.yaml"),
      /^---\napiVersion: apps\/v1\nkind: Deployment\nmetadata:\n {2}annotations:\n {4}fluxcd.io\/automated: "true"\n {4}fluxcd.io\/locked: "true"/,
    );
    await until("the annotation in the cluster", async () => {
      const annotations = (await cluster.kube.get(web))?.metadata.annotations;
      return annotations?.["fluxcd.io/locked"] === "true";
    });

    await repository.pull();
    await repository.push({ "base/conf.txt": null }, "Drop the settings");
    const { code, stderr } = await fluxctl(fluxd, "sync");

    assert.equal(code, 0, stderr);
    await until("the prune", async () => !(await cluster.kube.get(configMapPath("overlaid-conf"))));
    assert.ok(await cluster.kube.get(web));
  });

  it("take releases: by their updaters, and in their patch file", async () => {
    await using repository = await TestRepository.create({
      "cmd/web.txt": deployment("by-command", "example.test/app:1"),
      "cmd/.flux.yaml": dedent(`
        version: 1
        commandUpdated:
          generators:
          - command: cat web.txt
          updaters:
          - containerImage:
              command: 'sed -i "s|image: .*|image: $FLUX_IMG:$FLUX_TAG|" web.txt'
      `),
      "patch/web.txt": deployment("by-patch", "example.test/app:1"),
      "patch/.flux.yaml": dedent(`
        version: 1
        patchUpdated:
          generators:
          - command: cat web.txt
          patchFile: flux-patch.yaml
      `),
    });
    await using fluxd = await OwnFluxd.start({
      repository,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--manifest-generation", "--git-path=cmd,patch"],
      images: new KnownImages({
        "example.test/app": { 1: "2020-06-01T08:00:00Z", 2: "2020-06-02T08:00:00Z" },
      }),
    });

    const workloads = ["by-command", "by-patch"].map((name) => `--workload=deployment/${name}`);
    const image = "--update-image=example.test/app:2";
    const { code, stdout, stderr } = await fluxctl(fluxd, "release", "-n", "default", ...workloads, image);

    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /by-command +success +main: example.test\/app:1 -> 2\n.*by-patch +success +main: .* -> 2/,
    );
    assert.match(await repository.upstream("show", "master:cmd/web.txt"), /image: example.test\/app:2/);
    assert.match(
      await repository.upstream("show", "master:patch/flux-patch.yaml"),
      /image: example.test\/app:2/,
    );
    await until("the new images in the cluster", async () => {
      const live = await Promise.all(
        ["by-command", "by-patch"].map((name) => cluster.kube.get(deploymentPath(name))),
      );
      return live.every((object) => JSON.stringify(object).includes('"image":"example.test/app:2"'));
    });
  });

  it("that hang are ended with all they started, nothing is deleted, and the next commit is synced", async () => {
    using outside = new TempFolder();
    const good = dedent(`
      version: 1
      commandUpdated:
        generators:
        - command: cat c.txt
    `);
    const hanging = good.replace(
      "- command: cat c.txt",
      `- command: sleep 1000 & echo $! > "$PIDS"; sleep 1000\n    timeout: 1s`,
    );
    await using repository = await TestRepository.create({ ".flux.yaml": good, "c.txt": configMap("hung") });
    await using fluxd = await start(repository, [], { PIDS: join(outside.path, "pids") });
    await fluxd.synced(repository);

    await repository.push({ ".flux.yaml": hanging }, "Hang");
    await fluxd.notify(repository.url);
    await fluxd.logged(
      /loading resources from repo: error executing generator command .* context deadline exceeded/,
    );

    await processEnd(Number(readFileSync(join(outside.path, "pids"), "utf8")));
    assert.ok(await cluster.kube.get(configMapPath("hung")));

    await repository.push({ ".flux.yaml": good, "c.txt": configMap("hung", "v2") }, "Repair");
    const { code, stderr } = await fluxctl(fluxd, "sync");
    assert.equal(code, 0, stderr);
    assert.deepEqual((await cluster.kube.get(configMapPath("hung")))?.data, { key: "v2" });
  });

  it("end with fluxd", async () => {
    using outside = new TempFolder();
    const pids = join(outside.path, "pids");
    await using repository = await TestRepository.create({
      ".flux.yaml": `{version: 1, commandUpdated: {generators: [{command: 'echo $$ > "$PIDS"; exec sleep 1000'}]}}`,
    });
    await using fluxd = await start(repository, [], { PIDS: pids });
    const pid = await until("the generator to run", () => Number(readFileSync(pids, "utf8")));

    const { code } = await fluxd.stop();

    assert.equal(code, 0);
    await processEnd(pid);
  });

  it("run with --manifest-generation-cache only when something below the git path changed", async () => {
    using outside = new TempFolder();
    const runs = join(outside.path, "runs");
    const count = (): number => readFileSync(runs, "utf8").trim().split("\n").length;
    await using repository = await TestRepository.create({
      "app/.flux.yaml": `{version: 1, commandUpdated: {generators: [{command: 'echo run >> "$RUNS"; cat c.txt'}]}}`,
      "app/c.txt": configMap("cached"),
    });
    await using fluxd = await start(repository, ["--git-path=app", "--manifest-generation-cache"], {
      RUNS: runs,
    });
    await fluxd.synced(repository);

    await repository.push({ "README.md": "elsewhere" }, "Change nothing that counts");
    await fluxctl(fluxd, "sync");
    assert.equal(count(), 1);

    await repository.push({ "app/c.txt": configMap("cached", "v2") }, "Change what counts");
    await fluxctl(fluxd, "sync");
    assert.equal(count(), 2);
    assert.deepEqual((await cluster.kube.get(configMapPath("cached")))?.data, { key: "v2" });
  });

  it("tell nothing of a Secret when they fail", async () => {
    const canary = "c4n4ry-v4lu3";
    await using repository = await TestRepository.create({
      ".flux.yaml": "{version: 1, commandUpdated: {generators: [{command: sh make.sh}]}}",
      "make.sh": "cat s.txt; cat s.txt >&2; exit 1",
      "s.txt": `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: ${canary}}\n`,
    });
    await using fluxd = await start(repository);

    await fluxd.logged("error executing generator command");
    const answer = await (await fetch(`${fluxd.apiUrl}/v6/services`)).text();

    assert.match(answer, /password: <hidden>/);
    assert.ok(!(fluxd.log + answer).includes(canary));
  });
});
