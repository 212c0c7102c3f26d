import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, mkdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FluxError } from "@weir/flux";
import { NoChangesError } from "../../src/git/errors.ts";
import { GitRig, soon, upstreamWith } from "../support/git-rig.ts";
import { serveGitDaemon } from "../support/git-server.ts";

const files = { "app/a.yaml": "a: 1\n", "other/b.yaml": "b: 1\n" };
const plain = { author: undefined, note: '{"jobID":"1"}' };

describe("a commit", () => {
  it("is the configured user's, says what it was told to, bears a note, and is pushed with it", async () => {
    await using upstream = await upstreamWith(files);
    await using rig = await GitRig.ready(upstream.url);
    await using clone = await rig.repository.workingClone(soon());
    await writeFile(join(clone.dir, "app", "a.yaml"), "a: 2\n");
    const before = await clone.headRevision(soon());

    const revision = await clone.commitAndPush(
      { ...plain, message: "Updated\n\n- one\n# two\n\n\n" },
      soon(),
    );

    assert.equal(
      await upstream.upstream("log", "-1", "--format=%H|%P|%an <%ae>|%cn <%ce>|%B|", "master"),
      `${revision}|${before}|Weave Flux <support@weave.works>|Weave Flux <support@weave.works>|Updated\n\n- one\n# two\n|`,
    );
    assert.equal(await upstream.upstream("notes", "--ref=flux", "show", revision), '{"jobID":"1"}');
    assert.equal(await upstream.upstream("show", "master:app/a.yaml"), "a: 2");
    assert.deepEqual(await clone.changedFiles(before, soon()), [join(clone.dir, "app", "a.yaml")]);
    await rig.repository.refresh(soon());
    assert.deepEqual([...(await rig.repository.notedRevisions(soon()))], [revision]);
    assert.equal(await rig.repository.note(revision, soon()), '{"jobID":"1"}\n');
    assert.equal(await rig.repository.note(before, soon()), undefined);
  });

  it("is in the name of an author where one is given, and is not made where that is no author", async () => {
    await using upstream = await upstreamWith(files);
    await using rig = await GitRig.ready(upstream.url);
    await using clone = await rig.repository.workingClone(soon());
    await writeFile(join(clone.dir, "app", "a.yaml"), "a: 2\n");
    const action = { message: "m", note: "{}" };

    await assert.rejects(clone.commitAndPush({ ...action, author: "Jo" }, soon()), {
      message: /^git commit: fatal: --author 'Jo' is not 'Name <email>' and matches no existing author/,
    });
    await clone.commitAndPush({ ...action, author: "Jo <jo@x.test>" }, soon());

    assert.equal(
      await upstream.upstream("log", "-1", "--format=%an <%ae> %cn", "master"),
      "Jo <jo@x.test> Weave Flux",
    );
  });

  it("is not made where nothing below the git paths was changed", async () => {
    await using upstream = await upstreamWith(files);
    await using rig = await GitRig.ready(upstream.url, { paths: ["app"] });
    await using clone = await rig.repository.workingClone(soon());

    await writeFile(join(clone.dir, "other", "b.yaml"), "b: 2\n");
    await writeFile(join(clone.dir, "app", "new.yaml"), "new: 1\n");

    await assert.rejects(clone.commitAndPush({ ...plain, message: "m" }, soon()), new NoChangesError());
    assert.equal(await upstream.upstream("rev-list", "--count", "--all"), "1");
  });

  it("takes in files that git does not know where generators make such", async () => {
    await using upstream = await upstreamWith(files);
    await using rig = await GitRig.ready(upstream.url, { paths: ["app"], wholeTree: true });
    await using clone = await rig.repository.workingClone(soon());
    await writeFile(join(clone.dir, "other", "new.yaml"), "new: 1\n");

    await clone.commitAndPush({ ...plain, message: "m" }, soon());

    assert.equal(await upstream.upstream("show", "master:other/new.yaml"), "new: 1");
    await assert.rejects(clone.commitAndPush({ ...plain, message: "m" }, soon()), new NoChangesError());
  });

  it("runs no hook and no program that the operator's templates or the files would have run", async () => {
    await using upstream = await upstreamWith({
      ...files,
      ".gitattributes": "* filter=evil diff=evil\n",
      ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% /tmp/x\n',
    });
    const proof = join(upstream.root, "proof");
    const hooks = join(upstream.root, "template", "hooks");
    await mkdir(hooks, { recursive: true });
    for (const hook of ["post-checkout", "pre-commit", "post-commit", "prepare-commit-msg", "pre-push"]) {
      await writeFile(join(hooks, hook), `#!/bin/sh\ntouch ${proof}\n`);
      await chmod(join(hooks, hook), 0o755);
    }
    await writeFile(
      join(upstream.root, ".gitconfig"),
      `[init]\n\ttemplateDir = ${upstream.root}/template\n[core]\n\thooksPath = ${hooks}\n\tfsmonitor = touch ${proof}\n`,
    );
    await using rig = await GitRig.ready(upstream.url, { home: upstream.root });
    await using clone = await rig.repository.workingClone(soon());

    await writeFile(join(clone.dir, "app", "a.yaml"), "a: 2\n");
    await clone.commitAndPush({ ...plain, message: "m" }, soon());

    assert.equal(existsSync(proof), false);
  });
});

describe("a working clone", () => {
  it("is gone when disposed, and leaves the mirror as it was where nothing was pushed", async () => {
    await using upstream = await upstreamWith(files);
    await using rig = await GitRig.ready(upstream.url);
    const head = await rig.repository.branchHead(soon());
    {
      await using clone = await rig.repository.workingClone(soon());
      await rm(join(clone.dir, "app"), { recursive: true });
      assert.deepEqual(await rig.folders(), ["flux-gitclone", "flux-owner", "flux-working"]);
    }

    assert.deepEqual(await rig.folders(), ["flux-gitclone", "flux-owner"]);
    assert.equal(await rig.repository.branchHead(soon()), head);
  });

  it("keeps symlinks what they are, and follows none when it commits", async () => {
    await using upstream = await upstreamWith(files);
    await symlink("/etc/passwd", join(upstream.workTree, "link"));
    await upstream.push({}, "a link");
    await using rig = await GitRig.ready(upstream.url);
    await using clone = await rig.repository.workingClone(soon());
    await writeFile(join(clone.dir, "app", "a.yaml"), "a: 2\n");

    await clone.commitAndPush({ ...plain, message: "m" }, soon());

    assert.equal(await readlink(join(clone.dir, "link")), "/etc/passwd");
    assert.match(await upstream.upstream("ls-tree", "master", "link"), /^120000 blob /);
  });
});

describe("a push that upstream does not take", () => {
  it("fails in git's words with Flux's help, and the next one goes through", async () => {
    await using upstream = await upstreamWith(files);
    await using server = await serveGitDaemon(upstream.root);
    const url = server.url("upstream.git");
    await using rig = await GitRig.ready(url);
    await using clone = await rig.repository.workingClone(soon());
    await writeFile(join(clone.dir, "app", "a.yaml"), "a: ours\n");
    const theirs = await upstream.push({ "other/b.yaml": "b: theirs\n" }, "nobody told us");

    const error: unknown = await clone
      .commitAndPush({ ...plain, message: "m" }, soon())
      .catch((e: unknown) => e);

    assert.ok(error instanceof FluxError);
    assert.equal(error.kind, "user");
    assert.match(error.advice, /^Problem committing and pushing to git repository\.\n/);
    assert.equal(
      error.message,
      `git push ${url} [master refs/notes/flux]: failed to push some refs to '${url}', full output:
 To ${url}
 * [new reference]   refs/notes/flux -> refs/notes/flux
 ! [rejected]        master -> master (fetch first)
error: failed to push some refs to '${url}'
hint: Updates were rejected because the remote contains work that you do
hint: not have locally. This is usually caused by another repository pushing
hint: to the same ref. You may want to first integrate the remote changes
hint: (e.g., 'git pull ...') before pushing again.
hint: See the 'Note about fast-forwards' in 'git push --help' for details.
`,
    );
    assert.equal(await upstream.upstream("rev-parse", "master"), theirs);
    await rig.repository.refresh(soon());
    await using second = await rig.repository.workingClone(soon());
    await writeFile(join(second.dir, "app", "a.yaml"), "a: ours\n");
    const revision = await second.commitAndPush({ ...plain, message: "again" }, soon());
    assert.equal(await upstream.upstream("rev-parse", "master", "master~1"), `${revision}\n${theirs}`);
  });

  it("still brings the note of a commit that went through, onto notes that came meanwhile", async () => {
    await using upstream = await upstreamWith(files);
    await using rig = await GitRig.ready(upstream.url);
    await using clone = await rig.repository.workingClone(soon());
    await writeFile(join(clone.dir, "app", "a.yaml"), "a: ours\n");
    const identity = ["-c", "user.name=x", "-c", "user.email=x@x"];
    await upstream.upstream(...identity, "notes", "--ref=flux", "add", "-m", "theirs", "master");

    const revision = await clone.commitAndPush({ ...plain, message: "m" }, soon());

    assert.equal(await upstream.upstream("rev-parse", "master"), revision);
    assert.equal(await upstream.upstream("notes", "--ref=flux", "show", revision), '{"jobID":"1"}');
    assert.equal(await upstream.upstream("notes", "--ref=flux", "show", `${revision}~1`), "theirs");
  });
});
