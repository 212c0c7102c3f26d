import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnEmbeddedCluster } from "@weir/testing";
import { KnownImages } from "../support/known-images.ts";
import { automatedDeployment, configMap, deployment } from "../support/manifests.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";

const user = "--user=Ann <ann@example.test>";

describeOnEmbeddedCluster("fluxctl undo", {}, (cluster) => {
  async function started(repository: TestRepository, ...flags: readonly string[]): Promise<OwnFluxd> {
    const images = new KnownImages({
      "example.test/app": { "1": "2020-01-01T00:00:00Z", "2": "2020-01-02T00:00:00Z" },
    });
    return OwnFluxd.start({
      repository,
      kubeconfigPath: cluster.kubeconfigPath,
      images,
      flags: ["--automation-interval=1h", ...flags],
    });
  }

  function undo(fluxd: OwnFluxd, ...args: readonly string[]) {
    return fluxctl(fluxd, "undo", user, "--watch=false", ...args);
  }

  async function at(repository: TestRepository, path: string): Promise<string> {
    return `${await repository.upstream("show", `master:${path}`)}\n`;
  }

  function head(repository: TestRepository): Promise<string> {
    return repository.upstream("rev-parse", "master");
  }

  it("takes back exactly what a commit did, and can itself be undone", async () => {
    const [a, b] = [configMap("undo-a", "1"), configMap("undo-b", "1")];
    await using repository = await TestRepository.create({ "a.yaml": a, "b.yaml": b, "README.md": "1" });
    const bad = await repository.push({ "a.yaml": configMap("undo-a", "2"), "README.md": "2" }, "bad change");
    await repository.push(
      { "a.yaml": `# important\n${configMap("undo-a", "2")}`, "b.yaml": configMap("undo-b", "3") },
      "later",
    );
    await using fluxd = await started(repository);

    const dryRun = await undo(fluxd, bad.slice(0, 7), "--dry-run");
    const unchanged = await head(repository);
    const done = await undo(fluxd, bad, "-m", "it was bad");
    const undone = await head(repository);

    assert.deepEqual([dryRun.code, unchanged], [0, await repository.upstream("rev-parse", "master~1")]);
    assert.match(dryRun.stdout, /^--- a\/a\.yaml\n\+\+\+ b\/a\.yaml\n[^]*\n- {2}key: 2\n\+ {2}key: 1\n$/);
    assert.equal(
      dryRun.stderr,
      `Would undo ${bad.slice(0, 7)} "bad change" by Dev <dev@example.test>, for default:configmap/undo-a.\nNot manifests, so they stay as they are: README.md.\n`,
    );
    assert.equal(done.code, 0, done.stderr);
    assert.match(
      done.stderr,
      new RegExp(`Commit pushed:\\t${undone.slice(0, 7)}\nCommit applied:\\t${undone.slice(0, 7)}\n$`),
    );
    assert.deepEqual(
      [await at(repository, "a.yaml"), await at(repository, "b.yaml")],
      [`# important\n${a}`, configMap("undo-b", "3")],
    );
    assert.equal(await repository.upstream("show", "master:README.md"), "2");
    assert.equal(await repository.upstream("diff", "--name-only", "master~1", "master"), "a.yaml");
    assert.equal(
      await repository.upstream("log", "-1", "--format=%B", "master"),
      `it was bad\n\nThis undoes commit ${bad}.`,
    );
    const note = JSON.parse(await repository.upstream("notes", "--ref=flux", "show", "master")) as Record<
      string,
      unknown
    >;
    assert.deepEqual([note["undo"], (note["spec"] as { type: string }).type], [{ revision: bad }, "policy"]);
    const history = await fluxctl(fluxd, "history", "--kind=undo", "--no-headers");
    assert.match(history.stdout, /undo +[0-9a-f]{7} +Ann +default:configmap\/undo-a +it was bad\n$/);

    const again = await undo(fluxd, undone);
    assert.equal(again.code, 0, again.stderr);
    assert.equal(await at(repository, "a.yaml"), `# important\n${configMap("undo-a", "2")}`);
  });

  it("explains which commit is in the way, and changes nothing", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("undo-c", "1") });
    const bad = await repository.push({ "a.yaml": configMap("undo-c", "2") }, "bad change");
    const later = await repository.push({ "a.yaml": configMap("undo-c", "3") }, "later change");
    await repository.push({ "a.yaml": `${configMap("undo-c", "3")}  more: x\n` }, "more");
    await using fluxd = await started(repository);
    const before = await head(repository);

    const { code, stderr } = await undo(fluxd, bad);

    assert.deepEqual([code, await head(repository)], [1, before]);
    assert.match(
      stderr,
      new RegExp(`later commits changed the same lines as ${bad.slice(0, 7)} \\(a\\.yaml\\)`),
    );
    assert.match(stderr, /a\.yaml, lines 7-8: changed again/);
    assert.match(
      stderr,
      new RegExp(`by ${later.slice(0, 7)} "later change" \\(Dev <dev@example\\.test>, \\d{4}-`),
    );
    assert.match(stderr, new RegExp(`Undo ${later.slice(0, 7)} first`));
  });

  it("undoes the last change of one workload, and locks it where automation would make it again", async () => {
    const auto = automatedDeployment("undo-d", "example.test/app:1", "glob:*");
    const other = deployment("undo-e", "example.test/app:1");
    const files = { "both.yaml": `${auto}---\n${other}` };
    await using repository = await TestRepository.create(files);
    const release = await repository.push(
      { "both.yaml": files["both.yaml"].replaceAll("app:1", "app:2") },
      "new version",
    );
    await using fluxd = await started(repository);

    const { code, stdout, stderr } = await undo(fluxd, "deployment/undo-d");

    assert.equal(code, 0, stderr);
    assert.match(stdout, /default:deployment\/undo-d +success +main: example\.test\/app:2 -> 1\n$/);
    assert.match(
      stderr,
      /locks, so that automation doesn't make the change again: default:deployment\/undo-d\./,
    );
    const text = await at(repository, "both.yaml");
    assert.deepEqual(text.match(/image: .*/g), ["image: example.test/app:1", "image: example.test/app:2"]);
    assert.match(text, /fluxcd\.io\/locked: "?'?true/);
    assert.match(text, new RegExp(`fluxcd\\.io/locked_msg: .*undid ${release.slice(0, 7)}: new version`));
    assert.match(text, /fluxcd\.io\/locked_user: .*Ann/);
  });

  it("removes what a commit added only if that's allowed, and brings back what a commit removed", async () => {
    await using repository = await TestRepository.create({ "a.yaml": configMap("undo-f") });
    const adding = await repository.push({ "new/b.yaml": configMap("undo-g") }, "add g");
    await using fluxd = await started(repository, "--sync-garbage-collection");
    const before = await head(repository);

    const refused = await undo(fluxd, adding);
    const unchanged = await head(repository);
    const removed = await undo(fluxd, adding, "--allow-delete");
    const removing = await head(repository);
    const restored = await undo(fluxd, removing);

    assert.deepEqual([refused.code, unchanged], [1, before]);
    assert.match(
      refused.stderr,
      /added default:configmap\/undo-g, so undoing it removes that from git[^]*--allow-delete/,
    );
    assert.equal(removed.code, 0, removed.stderr);
    assert.equal(await repository.upstream("ls-tree", "-r", "--name-only", removing), "a.yaml");
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal(await at(repository, "new/b.yaml"), configMap("undo-g"));
    assert.equal(await repository.upstream("diff", "--name-status", "master~1", "master"), "A\tnew/b.yaml");
  });

  it("undoes a commit that broke a file, and refuses what isn't on the branch, a merge, or nothing", async () => {
    await using repository = await TestRepository.create({
      "deploy/a.yaml": configMap("undo-h"),
      "x.txt": "1",
    });
    await using fluxd = await started(repository, "--git-path=deploy");
    const breaking = await repository.push({ "deploy/a.yaml": "kind: [" }, "break it");
    await fluxctl(fluxd, "sync", "--timeout=1s");
    const mended = await undo(fluxd, breaking);
    const again = await undo(fluxd, breaking);
    await repository.pull();
    const elsewhere = await repository.push({ "x.txt": "2" }, "elsewhere");
    await fluxctl(fluxd, "sync");

    assert.equal(mended.code, 0, mended.stderr);
    assert.equal(await at(repository, "deploy/a.yaml"), configMap("undo-h"));
    assert.match(again.stderr, /was undone already/);
    assert.match((await undo(fluxd, elsewhere)).stderr, /changed nothing below deploy/);
    assert.match((await undo(fluxd, "0123456789")).stderr, /has no commit 0123456789/);
    assert.match((await undo(fluxd, "--", "HEAD")).stderr, /neither the hash of a commit/);
    assert.match((await undo(fluxd, "configmap/nothing")).stderr, /none of the last 500 commits changed/);
  });
});
