import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import type { JsonObject } from "@weir/base";
import { deploymentPath, describeOnEmbeddedCluster } from "@weir/testing";
import { KnownImages } from "../support/known-images.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";
import { runJob } from "../support/run-job.ts";

const ann = "--user=Ann <ann@example.test>";

describeOnEmbeddedCluster("policies", {}, (cluster) => {
  function started(repository: TestRepository, ...flags: readonly string[]): Promise<OwnFluxd> {
    return OwnFluxd.start({
      repository,
      kubeconfigPath: cluster.kubeconfigPath,
      flags,
      images: new KnownImages(),
    });
  }

  it("go to git with their messages and notes, one command after the other", async () => {
    await using repository = await TestRepository.create({ "a.yaml": deployment("pol-a") });
    await using fluxd = await started(repository, "--git-set-author", "--git-ci-skip-message=[skip]");
    const annotations = async (): Promise<string> =>
      (await repository.upstream("show", "master:a.yaml")).match(/ {2}annotations:\n((?: {4}.*\n)+)/)?.[1] ??
      "";
    const run = async (...args: readonly string[]): Promise<readonly string[]> => {
      const { code, stdout } = await fluxctl(fluxd, ...args, "-w", "deployment/pol-a", ann);
      assert.equal(code, 0);
      assert.match(stdout, /\ndefault:deployment\/pol-a {2}success {2}\n$/);
      return [await repository.upstream("log", "-1", "--format=%an: %B", "master"), await annotations()];
    };

    assert.deepEqual(await run("automate"), [
      "Ann: Automated: default:deployment/pol-a\n[skip]",
      "    fluxcd.io/automated: 'true'\n",
    ]);
    assert.deepEqual(await run("policy", "--tag-all=semver:~1", "--deautomate", "-m", "Go slow"), [
      "Ann: Go slow\n\n- Deautomated: default:deployment/pol-a\n- Updated policies: default:deployment/pol-a\n[skip]",
      "    fluxcd.io/tag.main: semver:~1\n",
    ]);
    assert.deepEqual(await run("lock", "-m", "for now"), [
      "Ann: for now\n\n- Locked: default:deployment/pol-a\n- Updated policies: default:deployment/pol-a\n[skip]",
      "    fluxcd.io/tag.main: semver:~1\n    fluxcd.io/locked: 'true'\n    fluxcd.io/locked_msg: for now\n    fluxcd.io/locked_user: Ann <ann@example.test>\n",
    ]);
    const note = await repository.upstream("notes", "--ref=flux", "show", "master");
    assert.match(note, /^\{"jobID":"[0-9a-f-]{36}","spec":\{"type":"policy","cause":.*\},"result":null\}$/);
    assert.deepEqual(await run("unlock"), [
      "Ann: Updated workload policies\n\n- Unlocked: default:deployment/pol-a\n- Updated policies: default:deployment/pol-a\n[skip]",
      "    fluxcd.io/tag.main: semver:~1\n",
    ]);
  });

  for (const style of ["flux", "minimal"]) {
    it(`are applied though YAML 1.1 has another meaning for their words (${style})`, async () => {
      const name = `pol-words-${style}`;
      await using repository = await TestRepository.create({ "a.yaml": deployment(name) });
      await using fluxd = await started(repository, `--write-back-style=${style}`);

      for (const message of ["no", "\u0085"]) {
        const locked = await fluxctl(fluxd, "lock", "-w", `deployment/${name}`, "-m", message, ann);
        const synced = await fluxctl(fluxd, "sync");

        assert.deepEqual([locked.code, synced.code], [0, 0], locked.stderr + synced.stderr);
        const live = await cluster.kube.get(deploymentPath(name));
        assert.equal(live?.metadata.annotations?.["fluxcd.io/locked_msg"], message);
      }
    });
  }

  it("that are there already make no commit, and what is no workload fails", async () => {
    await using repository = await TestRepository.create({
      "a.yaml": deployment("pol-b"),
      "c.yaml": configMap("pol-c"),
    });
    await using fluxd = await started(repository);
    await fluxctl(fluxd, "automate", "-w", "deployment/pol-b");
    const head = await repository.upstream("rev-parse", "master");

    const again = await fluxctl(fluxd, "automate", "-w", "deployment/pol-b", "-v");
    const absent = await fluxctl(fluxd, "lock", "-w", "deployment/absent", "-v");
    const nothing = await fluxctl(fluxd, "policy", "-w", "deployment/pol-b");
    const noWorkload = await fluxctl(fluxd, "lock", "-w", "configmap/pol-c");

    assert.match(again.stdout, /default:deployment\/pol-b +skipped/);
    assert.match(absent.stdout, /default:deployment\/absent +skipped/);
    assert.deepEqual(
      [again, absent, nothing, noWorkload].map(({ code }) => code),
      [0, 0, 1, 1],
    );
    assert.match(noWorkload.stderr, /resource default:configmap\/pol-c does not have containers/);
    assert.equal(await repository.upstream("rev-parse", "master"), head);
  });

  it("that fail tell what was asked, and what became of each workload by then", async () => {
    await using repository = await TestRepository.create({
      "a.yaml": deployment("pol-d"),
      "c.yaml": configMap("pol-e"),
    });
    await using fluxd = await started(repository);
    const head = await repository.upstream("rev-parse", "master");
    const cause = { Message: "", User: "api" };
    const lock = { add: { locked: "true" }, remove: null };
    const workload = "default:deployment/pol-d";
    const other = "default:configmap/pol-e";
    const absent = "default:deployment/absent";

    const spec = { type: "policy", cause, spec: { [absent]: lock, [workload]: lock, [other]: lock } };
    const unfit = await runJob(fluxd, spec);
    const pattern = { add: { "tag.main": "semver:nonsense" }, remove: null };
    const invalid = await runJob(fluxd, { type: "policy", cause, spec: { [workload]: pattern } });
    await writeFile(join(repository.bare, "hooks/pre-receive"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const refused = await runJob(fluxd, { type: "policy", cause, spec: { [workload]: lock } });
    await rm(join(repository.bare, "hooks/pre-receive"));
    const nothing = await runJob(fluxd, { type: "policy", cause, spec: null });

    const reason = "resource default:configmap/pol-e does not have containers";
    assert.deepEqual(unfit, {
      Result: {
        spec,
        result: {
          [absent]: { Status: "skipped", PerContainer: null },
          [workload]: { Status: "success", PerContainer: null },
          [other]: { Status: "failed", Error: unfit["Err"], PerContainer: null },
        },
      },
      Err: unfit["Err"],
      StatusString: "failed",
    });
    assert.ok(errorOf(unfit).includes(reason), errorOf(unfit));
    const bad = 'invalid tag pattern: "semver:nonsense"';
    assert.deepEqual(invalid, {
      Result: {
        spec: { type: "policy", cause, spec: { [workload]: pattern } },
        result: { [workload]: { Status: "failed", Error: invalid["Err"], PerContainer: null } },
      },
      Err: invalid["Err"],
      StatusString: "failed",
    });
    assert.ok(errorOf(invalid).includes(bad), errorOf(invalid));
    assert.deepEqual(refused["Result"], {
      spec: { type: "policy", cause, spec: { [workload]: lock } },
      result: { [workload]: { Status: "success", PerContainer: null } },
    });
    assert.match(errorOf(refused), /pre-receive hook declined/);
    assert.deepEqual(nothing, {
      Result: { spec: { type: "policy", cause, spec: null } },
      Err: "",
      StatusString: "succeeded",
    });
    assert.equal(await repository.upstream("rev-parse", "master"), head);
  });
});

function errorOf({ Err: error }: JsonObject): string {
  return typeof error === "string" ? error : "";
}
