import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { Fluxd, fluxctl } from "../../support/fluxd.ts";
import { GnuPg } from "../../support/gnupg.ts";
import { configMap } from "../../support/manifests.ts";
import { TestRepository } from "../../support/repository.ts";

describe("fluxctl undo, while others push", () => {
  /** Resolves after the first sync. */
  async function started(repository: TestRepository, ...flags: readonly string[]): Promise<Fluxd> {
    const fluxd = await Fluxd.start({ gitUrl: repository.url, flags: ["--embedded-cluster", ...flags] });
    await fluxd.synced(repository);
    return fluxd;
  }

  const undo = (fluxd: Fluxd, commit: string) =>
    fluxctl(fluxd, "undo", "--user=Ann <ann@example.test>", "--watch=false", commit);

  const subjects = (repository: TestRepository) => repository.upstream("log", "--format=%s", "master");

  const value = async (repository: TestRepository) =>
    /key: (.*)$/m.exec(await repository.upstream("show", "master:a.yaml"))?.[1];

  it("is made on top of what they pushed with --git-push-retries", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("a", "1") });
    const bad = await repository.push({ "a.yaml": configMap("a", "2") }, "bad");
    await using fluxd = await started(repository, "--git-push-retries=3");
    await repository.push({ "b.yaml": configMap("b") }, "theirs");

    const { code, stderr } = await undo(fluxd, bad);

    assert.equal(code, 0, stderr);
    assert.match(await subjects(repository), /^Undo .*\ntheirs\nbad\ninitial$/);
    assert.equal(await value(repository), "1");
    assert.equal(await repository.upstream("diff", "--name-only", "master~1", "master"), "a.yaml");
    const note = await repository.upstream("notes", "--ref=flux", "show", "master");
    assert.match(note, new RegExp(`"undo":\\{"revision":"${bad}"\\}`));
    assert.match(fluxd.log, /making the change again on the new head" head=[0-9a-f]{40} retry=1 of=3/);
  });

  it("leaves what they changed at the same place", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("a", "1") });
    const bad = await repository.push({ "a.yaml": configMap("a", "2") }, "bad");
    await using fluxd = await started(repository, "--git-push-retries=3");
    const theirs = await repository.push({ "a.yaml": configMap("a", "3") }, "theirs");

    const { code, stderr } = await undo(fluxd, bad);

    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`changed again[^]* by ${theirs.slice(0, 7)} "theirs" \\(Dev `));
    assert.deepEqual([await subjects(repository), await value(repository)], ["theirs\nbad\ninitial", "3"]);
  });

  it("is signed where commits must be, and not made on somebody's unsigned head", async () => {
    await using gnupg = await GnuPg.with("flux");
    using keys = new TempFolder();
    const signed = gnupg.git("flux");
    await using repository = await TestRepository.create({ "a.yaml": configMap("a", "1") }, signed);
    const bad = await repository.push({ "a.yaml": configMap("a", "2") }, "bad", signed);
    await using fluxd = await started(
      repository,
      "--git-push-retries=3",
      "--git-verify-signatures",
      `--git-gpg-key-import=${keys.write("flux.asc", await gnupg.secretKey("flux"))}`,
      "--git-signing-key=flux@example.test",
    );
    await repository.push({ "b.yaml": configMap("b") }, "theirs", signed);

    const done = await undo(fluxd, bad);
    const undone = await repository.upstream("rev-parse", "master");
    await repository.pull();
    const statuses = await repository.inClone(["log", "--format=%G?"], gnupg.git());
    await repository.push({ "b.yaml": configMap("b", "2") }, "unsigned", gnupg.git());
    const refused = await undo(fluxd, undone);

    assert.equal(done.code, 0, done.stderr);
    assert.equal(statuses, "G\nG\nG\nG");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /HEAD is not a verified commit/);
    assert.match(await subjects(repository), /^unsigned\nUndo /);
    assert.equal(await value(repository), "1");
  });
});
