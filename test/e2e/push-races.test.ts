import assert from "node:assert/strict";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { describeOnEmbeddedCluster, TempFolder } from "@weir/testing";
import { GnuPg } from "../support/gnupg.ts";
import { KnownImages } from "../support/known-images.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";
import { runJob } from "../support/run-job.ts";

const images = new KnownImages({
  "example.test/app": {
    "1": "2020-01-01T00:00:00Z",
    "2": "2020-01-02T00:00:00Z",
    "3": "2020-01-03T00:00:00Z",
  },
});

const id = "default:deployment/race";
const locked = deployment("race").replace(
  "metadata:\n",
  'metadata:\n  annotations: {fluxcd.io/locked: "true"}\n',
);

function lock(): object {
  return policyChange({ add: { locked: "true" }, remove: null });
}

function unlock(): object {
  return policyChange({ add: null, remove: { locked: "true" } });
}

function policyChange(update: object): object {
  return { type: "policy", cause: { User: "Ann <ann@example.test>" }, spec: { [id]: update } };
}

function release(image: string): object {
  const spec = { ServiceSpecs: [id], ImageSpec: image, Kind: "execute", Excludes: null };
  return { type: "image", cause: { User: "Ann <ann@example.test>" }, spec };
}

/** Installs a hook that runs for each push to the branch, and counts its runs. */
async function onPush({ bare }: TestRepository, script: string): Promise<() => Promise<number>> {
  const runs = join(bare, "runs");
  const hook = `#!/bin/sh\nwhile read old new ref; do [ "$ref" = refs/heads/master ] && {\necho >> ${runs}\n${script}\n}; done\nexit \${refused:-0}\n`;
  await mkdir(join(bare, "hooks"), { recursive: true });
  await writeFile(runs, "");
  await writeFile(join(bare, "hooks", "pre-receive"), hook);
  await chmod(join(bare, "hooks", "pre-receive"), 0o755);
  return async () => (await readFile(runs, "utf8")).length;
}

/** Has somebody else push first, while upstream is already taking our push, a number of times. */
async function letRivalWin(repository: TestRepository, times: number): Promise<void> {
  let parent = "master";
  for (let rival = 1; rival <= times; rival += 1) {
    parent = await repository.upstream("commit-tree", "master^{tree}", "-p", parent, "-m", `rival ${rival}`);
    await repository.upstream("update-ref", `refs/rivals/${rival}`, parent);
  }
  const unset = "env -u GIT_QUARANTINE_PATH -u GIT_OBJECT_DIRECTORY -u GIT_ALTERNATE_OBJECT_DIRECTORIES";
  const rival = `refs/rivals/$(wc -l < ${join(repository.bare, "runs")})`;
  await onPush(
    repository,
    `${unset} git rev-parse -q --verify ${rival} > /dev/null && ${unset} git update-ref $ref ${rival}`,
  );
}

describeOnEmbeddedCluster("somebody else pushes first", {}, (cluster) => {
  function started(repository: TestRepository, ...flags: readonly string[]): Promise<OwnFluxd> {
    return OwnFluxd.start({ repository, kubeconfigPath: cluster.kubeconfigPath, flags, images });
  }

  const subjects = (repository: TestRepository): Promise<string> =>
    repository.upstream("log", "--format=%s", "master");

  it("and the change fails, as in Flux v1", async () => {
    await using repository = await TestRepository.create({ "w.yaml": deployment("race") });
    await using fluxd = await started(repository);
    await repository.push({ "c.yaml": configMap("race") }, "theirs");

    const { Err: error, Result: result } = await runJob(fluxd, lock());

    assert.ok(typeof error === "string");
    assert.match(
      error,
      /^git push file:.* \[master refs\/notes\/flux\]: failed to push some refs.*fetch first/s,
    );
    assert.deepEqual(Object.keys(result ?? {}), ["spec", "result"]);
    assert.equal(await subjects(repository), "theirs\ninitial");
  });

  it("and with --git-push-retries the change is made on top, with its note", async () => {
    await using repository = await TestRepository.create({ "w.yaml": deployment("race") });
    await using fluxd = await started(repository, "--git-push-retries=3");
    await repository.push({ "c.yaml": configMap("race") }, "theirs");

    const { code, stderr } = await fluxctl(fluxd, "lock", "-w", "deployment/race");

    assert.equal(code, 0, stderr);
    assert.match(await subjects(repository), /^Locked: default:deployment\/race\ntheirs\ninitial$/);
    assert.equal(await repository.upstream("diff", "--name-only", "master~1", "master"), "w.yaml");
    assert.match(await repository.upstream("notes", "--ref=flux", "show", "master"), /"type":"policy"/);
    assert.match(
      fluxd.log,
      /msg="somebody else pushed first; making the change again on the new head" head=[0-9a-f]{40} retry=1 of=3/,
    );
    assert.match(fluxd.log, /jobID=\S+ revision=[0-9a-f]{40} pushRetries=1\n/);
  });

  it("and where signatures count, nothing is committed on their unsigned head", async () => {
    await using gnupg = await GnuPg.with("flux");
    using keys = new TempFolder();
    await using repository = await TestRepository.create({ "w.yaml": deployment("race") }, gnupg.git("flux"));
    await using fluxd = await started(
      repository,
      "--git-push-retries=3",
      "--git-verify-signatures",
      `--git-gpg-key-import=${keys.write("flux.asc", await gnupg.secretKey("flux"))}`,
      "--git-signing-key=flux@example.test",
    );
    await repository.push({ "c.yaml": configMap("race") }, "theirs");

    const { code, stderr } = await fluxctl(fluxd, "lock", "-w", "deployment/race");

    assert.equal(code, 1, stderr);
    assert.match(stderr, /Error: HEAD revision is unsigned\n/);
    assert.match(fluxd.log, /making the change again on the new head" head=[0-9a-f]{40} retry=1 of=3/);
    assert.equal(await subjects(repository), "theirs\ninitial");
  });

  it("again and again, and the change is made once they stop", async () => {
    await using repository = await TestRepository.create({ "w.yaml": deployment("race") });
    await using fluxd = await started(repository, "--git-push-retries=3");
    await letRivalWin(repository, 3);

    const { Err: error, Result: result } = await runJob(fluxd, release("example.test/app:2"));

    assert.equal(error, "");
    assert.equal((result as { pushRetries?: unknown }).pushRetries, 3);
    assert.match(await subjects(repository), /^.*app:2.*\nrival 3\nrival 2\nrival 1\ninitial$/);
    assert.match(await repository.upstream("show", "master:w.yaml"), /image: example\.test\/app:2/);
  });

  for (const [what, manifest] of Object.entries({
    "locks the workload": locked,
    "sets another image": deployment("race", "example.test/app:3"),
  })) {
    it(`and ${what}, so that a release of it isn't made`, async () => {
      await using repository = await TestRepository.create({ "w.yaml": deployment("race") });
      await using fluxd = await started(repository, "--git-push-retries=3");
      await repository.push({ "w.yaml": manifest }, "theirs");

      const { Err: error } = await runJob(fluxd, release("example.test/app:2"));

      assert.ok(typeof error === "string");
      assert.match(
        error,
        /^(not pushed again: default:deployment\/race was changed|no changes made in repo$)/,
      );
      assert.equal(await subjects(repository), "theirs\ninitial");
    });
  }

  it("and makes the same change, so that there's nothing left to do", async () => {
    await using repository = await TestRepository.create({ "w.yaml": deployment("race") });
    await using fluxd = await started(repository, "--git-push-retries=3");
    await runJob(fluxd, lock());
    const asFluxd = await repository.upstream("show", "master:w.yaml");
    await runJob(fluxd, unlock());
    await repository.pull();
    const theirs = await repository.push({ "w.yaml": `${asFluxd}\n` }, "theirs");

    const { Err: error, Result: result } = await runJob(fluxd, lock());

    assert.equal(error, "");
    assert.equal((result as { revision?: unknown }).revision, undefined);
    assert.equal(await repository.upstream("rev-parse", "master"), theirs);
  });
});
