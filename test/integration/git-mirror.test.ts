import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { lacks, until } from "@weir/testing";
import { NotConfiguredError, NotReadyError, ReadOnlyError } from "../../src/git/errors.ts";
import { GitRig, RigClock, soon, standingClock, upstreamWith } from "../support/git-rig.ts";
import { serveGitDaemon } from "../support/git-server.ts";

describe("a mirror becomes ready", () => {
  it("clones, checks that it can write, leaves nothing of that upstream, and knows the head", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.open(upstream.url);
    const first = rig.repository.status();
    let refreshes = 0;
    rig.repository.onRefreshed(() => (refreshes += 1));

    rig.repository.start();
    await rig.repository.ready(soon());

    assert.deepEqual(
      [first, ...rig.statuses],
      [
        { status: "new", error: "git repo has not been cloned yet", hindrance: "untried" },
        {
          status: "cloned",
          error: "git repo has been cloned but not yet checked for write access",
          hindrance: "untried",
        },
        { status: "ready", error: "" },
      ],
    );
    assert.equal(refreshes, 1);
    assert.equal(await upstream.upstream("for-each-ref", "--format=%(refname)"), "refs/heads/master");
    assert.equal(await rig.repository.branchHead(soon()), await upstream.upstream("rev-parse", "master"));
  });

  it("removes the tag of a check that it couldn't remove at first, with the next check", async () => {
    await using upstream = await upstreamWith();
    await refuseDeletions(upstream.bare, 1);
    await using rig = await GitRig.open(upstream.url, { clock: standingClock });
    rig.repository.start();
    await rig.status("cloned", /pre-receive hook declined/);
    assert.match(await upstream.upstream("tag", "--list"), /^flux-write-check-\w+$/);

    rig.repository.notify();
    await rig.repository.ready(soon());

    assert.equal(await upstream.upstream("tag", "--list"), "");
  });

  it("doesn't mind if somebody else has removed it", async () => {
    await using upstream = await upstreamWith();
    await refuseDeletions(upstream.bare, 1);
    await using rig = await GitRig.open(upstream.url, { clock: standingClock });
    rig.repository.start();
    await rig.status("cloned", /pre-receive hook declined/);
    await upstream.upstream("tag", "--delete", await upstream.upstream("tag", "--list"));

    rig.repository.notify();
    await rig.repository.ready(soon());

    assert.equal(await upstream.upstream("tag", "--list"), "");
  });

  it("makes no further tag while the first one can't be removed", async () => {
    await using upstream = await upstreamWith();
    const pushes = await refuseDeletions(upstream.bare, 1_000);
    await using rig = await GitRig.open(upstream.url, { clock: standingClock });
    rig.repository.start();

    const made = await until("three attempts", async () => {
      rig.repository.notify();
      const { created, deleted } = await pushes();
      return deleted >= 3 && created;
    });

    assert.equal(made, 1);
  });

  it("tells what it waits for, and rejects what needs it, until it is ready", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.open(upstream.url);
    const notCloned = new NotReadyError("git repo has not been cloned yet");

    await assert.rejects(rig.repository.branchHead(soon()), notCloned);
    await assert.rejects(rig.repository.refresh(soon()), notCloned);
    await assert.rejects(rig.repository.workingClone(soon()), notCloned);
    await assert.rejects(rig.repository.export("HEAD", soon()), notCloned);
    assert.equal(notCloned.message, "git repo not ready: git repo has not been cloned yet");
  });

  it("waits for the first commit of an empty repository, and looks at once when notified", async () => {
    await using upstream = await upstreamWith();
    await upstream.upstream("update-ref", "-d", "refs/heads/master");
    await using rig = await GitRig.open(upstream.url, { clock: standingClock });
    rig.repository.start();
    await rig.status("cloned", /^configured branch 'master' does not exist$/);

    const head = await upstream.push({ "b.yaml": "b: 1\n" }, "first commit ever");
    rig.repository.notify();
    await rig.repository.ready(soon());

    assert.equal(await rig.repository.branchHead(soon()), head);
  });

  it("follows no branch but the configured one", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.open(upstream.url, { branch: "nope", clock: standingClock });
    rig.repository.start();
    const { hindrance } = await rig.status("cloned", /^configured branch 'nope' does not exist$/);
    assert.equal(hindrance, "no-branch");

    await upstream.upstream("branch", "nope", "master");
    rig.repository.notify();
    await rig.repository.ready(soon());

    assert.equal(await rig.repository.branchHead(soon()), await upstream.upstream("rev-parse", "nope"));
  });

  it("stays without a URL", async () => {
    await using rig = await GitRig.open("");

    rig.repository.start();

    assert.deepEqual(rig.repository.status(), {
      status: "unconfigured",
      error: "git repo has not been cloned yet",
      hindrance: "untried",
    });
    await assert.rejects(rig.repository.refresh(soon()), new NotConfiguredError());
  });

  it("says that its host is not known", { skip: lacks("ssh-keygen") }, async () => {
    await using rig = await GitRig.open("ssh://git@no-such-host.invalid/x.git", { clock: standingClock });

    rig.repository.start();

    await rig.status("unreachable", /could not resolve hostname no-such-host\.invalid/i);
  });

  it("does not become ready where upstream refuses the write check, unless it only reads", async () => {
    await using upstream = await upstreamWith();
    const hook = join(upstream.bare, "hooks", "pre-receive");
    await mkdir(join(upstream.bare, "hooks"), { recursive: true });
    await writeFile(hook, "#!/bin/sh\necho no >&2\nexit 1\n");
    await chmod(hook, 0o755);
    await using writing = await GitRig.open(upstream.url, { clock: standingClock });
    await using reading = await GitRig.ready(upstream.url, { readonly: true });

    writing.repository.start();
    const { error } = await writing.status("cloned", /^attempt to push tag: /);

    assert.match(
      error,
      /^attempt to push tag: failed to push some refs to 'file:.*', full output:\n remote: no *\n/,
    );
    await assert.rejects(reading.repository.workingClone(soon()), new ReadOnlyError());
    await assert.rejects(reading.repository.syncTag("t").move("x", soon()), new ReadOnlyError());

    await rm(hook);
    writing.repository.notify();
    await writing.repository.ready(soon());
  });

  it("never runs a command that a URL names", async () => {
    await using upstream = await upstreamWith();
    const proof = join(upstream.root, "proof");
    for (const url of [
      `ext::sh -c touch% ${proof}`,
      `--upload-pack=touch ${proof}`,
      "fd::17",
      "rsync://h/x",
    ]) {
      await using rig = await GitRig.open(url, { clock: standingClock });

      rig.repository.start();

      await rig.status("new", /^git URL .* isn't allowed: /);
    }
    assert.equal(existsSync(proof), false);
  });
});

describe("a ready mirror follows upstream", () => {
  it("at each poll", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { pollInterval: 50 });

    const head = await upstream.push({ "a.yaml": "a: 2\n" }, "two");

    await until("the poll", async () => (await rig.repository.branchHead(soon())) === head);
  });

  it("when notified", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { clock: standingClock });

    const head = await upstream.push({ "a.yaml": "a: 2\n" }, "two");
    rig.repository.notify();

    await until("the refresh", async () => (await rig.repository.branchHead(soon())) === head);
  });

  it("when asked, many askers with few fetches, none of them with an old answer", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url);
    let refreshes = 0;
    rig.repository.onRefreshed(() => (refreshes += 1));

    const early = Array.from({ length: 5 }, () => rig.repository.refresh(soon()));
    const head = await upstream.push({ "a.yaml": "a: 2\n" }, "two");
    await Promise.all([...early, ...Array.from({ length: 5 }, () => rig.repository.refresh(soon()))]);

    assert.equal(await rig.repository.branchHead(soon()), head);
    assert.ok(refreshes >= 1 && refreshes <= 3, `${refreshes} fetches`);
  });

  it("through a rewritten history", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url);
    await upstream.push({ "b.yaml": "b: 1\n" }, "to be dropped");
    await rig.freshHead();

    const orphan = await upstream.upstream(
      "-c",
      "user.name=x",
      "-c",
      "user.email=x@x",
      "commit-tree",
      "-m",
      "anew",
      "HEAD~1^{tree}",
    );
    await upstream.upstream("update-ref", "refs/heads/master", orphan);

    assert.equal(await rig.freshHead(), orphan);
    assert.deepEqual(await rig.repository.commitsBefore(orphan, [], soon()), [
      { revision: orphan, message: "anew" },
    ]);
  });

  it("keeps the head of a branch that vanishes, and goes on when it comes back", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url);
    const before = await rig.freshHead();

    await upstream.upstream("update-ref", "-d", "refs/heads/master");
    assert.equal(await rig.freshHead(), before);
    const after = await upstream.push({ "a.yaml": "a: 2\n" }, "back");

    assert.equal(await rig.freshHead(), after);
  });

  it("where a branch that is gone stands in the way of a new one", async () => {
    await using upstream = await upstreamWith();
    await upstream.upstream("branch", "topic", "master");
    await using rig = await GitRig.ready(upstream.url);

    await upstream.upstream("branch", "-D", "topic");
    await upstream.upstream("branch", "topic/one", "master");
    await rig.repository.refresh(soon());

    assert.equal(
      await rig.repository.revision("refs/heads/topic/one", soon()),
      await upstream.upstream("rev-parse", "master"),
    );
  });
});

describe("an upstream that goes away", () => {
  it("fails who asks in git's words, keeps the status, and is there again when it is back", async () => {
    await using upstream = await upstreamWith();
    await using server = await serveGitDaemon(upstream.root);
    await using rig = await GitRig.ready(server.url("upstream.git"), { clock: standingClock });

    await rename(upstream.bare, `${upstream.bare}.away`);
    await assert.rejects(rig.repository.refresh(soon()), {
      name: "GitError",
      message:
        "git fetch --tags origin []: fatal: remote error: no such repository: /upstream.git, full output:\n fatal: remote error: no such repository: /upstream.git\n",
    });
    assert.deepEqual(rig.repository.status(), { status: "ready", error: "" });
    await rename(`${upstream.bare}.away`, upstream.bare);

    const head = await upstream.push({ "a.yaml": "a: 2\n" }, "back");
    assert.equal(await rig.freshHead(), head);
  });

  it("is counted with each clone and fetch, whoever asks", async () => {
    await using upstream = await upstreamWith();
    const fetches: boolean[] = [];
    await using rig = await GitRig.ready(upstream.url, {
      clock: standingClock,
      onFetch: (success) => fetches.push(success),
    });
    await rig.repository.refresh(soon());
    assert.deepEqual(fetches, [true, true]);

    await rename(upstream.bare, `${upstream.bare}.away`);
    await assert.rejects(rig.repository.refresh(soon()));
    rig.repository.notify();
    await rig.status("new", /upstream\.git/);
    assert.deepEqual(fetches, [true, true, false, false]);

    await rename(`${upstream.bare}.away`, upstream.bare);
    rig.repository.notify();
    await rig.repository.ready(soon());
    assert.deepEqual(fetches, [true, true, false, false, true]);
  });

  it("makes the mirror unready at the next poll; what it holds can be read; it heals by itself", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { pollInterval: 50 });
    const before = await rig.repository.branchHead(soon());
    const clone = (await readdir(rig.tempDir)).filter((name) => name.startsWith("flux-gitclone"));

    await rename(upstream.bare, `${upstream.bare}.away`);
    await rig.status(
      "new",
      /^git fetch --tags origin \[\]: fatal: .* does not appear to be a git repository/,
    );
    await using exported = await rig.repository.export(before, soon());
    assert.equal(await rig.repository.branchHead(soon()), before);
    assert.deepEqual(await readdir(exported.dir), [".git", "a.yaml"]);
    await assert.rejects(rig.repository.refresh(soon()), NotReadyError);
    await assert.rejects(rig.repository.workingClone(soon()), NotReadyError);
    await rename(`${upstream.bare}.away`, upstream.bare);
    const head = await upstream.push({ "a.yaml": "a: 2\n" }, "back");

    await rig.repository.ready(soon());
    await until("the new head", async () => (await rig.repository.branchHead(soon())) === head);
    assert.deepEqual(
      (await readdir(rig.tempDir)).filter((name) => name.startsWith("flux-gitclone")),
      clone,
    );
  });

  it("is told of once, however often it is tried", async () => {
    await using upstream = await upstreamWith();
    await rename(upstream.bare, `${upstream.bare}.away`);
    await using rig = await GitRig.open(upstream.url, { clock: standingClock });
    rig.repository.start();
    const first = await rig.status("new", /^git clone --mirror: fatal: /);

    await until("three more tries", () => {
      rig.repository.notify();
      return Number(/-(\d+)'/.exec(rig.repository.status().error)?.[1]) > 3;
    });

    assert.match(
      first.error,
      /, full output:\n Cloning into bare repository '.*flux-gitclone.*'\.\.\.\nfatal: /,
    );
    assert.equal(rig.statuses.length, 1);
    await until("the last try to clean up", async () => (await rig.folders()).join() === "flux-owner");
  });
});

describe("a mirror that fails", () => {
  it("half way through a refresh sees at the next one what that brought", async () => {
    await using upstream = await upstreamWith();
    const programs = join(upstream.root, "programs");
    const broken = join(upstream.root, "broken");
    await mkdir(programs);
    // A git that fetches, and then cannot list refs as long as a file is there.
    const real = (await promisify(execFile)("sh", ["-c", "command -v git"])).stdout.trim();
    const script = `#!/bin/sh\ncase "$*" in *for-each-ref*) [ -e ${broken} ] && exit 1;; esac\nexec ${real} "$@"\n`;
    await writeFile(join(programs, "git"), script, { mode: 0o755 });
    await using rig = await GitRig.ready(upstream.url, { clock: standingClock, programs });

    const head = await upstream.push({ "a.yaml": "a: 2\n" }, "two");
    await writeFile(broken, "");
    await assert.rejects(rig.repository.refresh(soon()), { message: "exit status 1" });
    await rm(broken);

    assert.equal(await rig.freshHead(), head);
  });

  it("tries again by itself, after a longer time each time, and after ten seconds at most", async () => {
    await using upstream = await upstreamWith();
    await rename(upstream.bare, `${upstream.bare}.away`);
    const clock = new RigClock();
    await using rig = await GitRig.open(upstream.url, { clock });
    rig.repository.start();

    for (const longest of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
      await clock.sleeping((ms) => ms > longest * 0.79 && ms <= longest);
      await clock.advance(longest);
    }
    await rename(`${upstream.bare}.away`, upstream.bare);
    // The try that was going on may have found it; then the next one is that of the poll.
    await clock.sleeping((ms) => (ms > 7_900 && ms <= 10_000) || ms > 60_000);
    await clock.advance(10_000);

    await rig.repository.ready(soon());
  });
});

describe("a mirror that is broken", () => {
  it("is cloned anew where upstream answers and it cannot follow", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { clock: standingClock });
    const [clone = ""] = (await readdir(rig.tempDir)).filter((name) => name.startsWith("flux-gitclone"));

    await rm(join(rig.tempDir, clone, "objects"), { recursive: true });
    const head = await upstream.push({ "a.yaml": "a: 2\n" }, "two");
    rig.repository.notify();
    await rig.status("new", /^git fetch/);
    rig.repository.notify();

    await rig.repository.ready(soon());
    assert.equal(await rig.repository.branchHead(soon()), head);
    assert.deepEqual(await rig.folders(), ["flux-gitclone", "flux-owner"]);
    assert.match(
      rig.log.lines.join("\n"),
      /warning=cannot update the mirror from upstream; cloning it again/,
    );
  });
});

describe("a disk that is full", () => {
  it("is told with the folder and what to do; the mirror is kept, and tried again after a longer time", async () => {
    await using upstream = await upstreamWith();
    const full = join(upstream.root, "full");
    const programs = await fullDiskGit(upstream.root, full);
    const clock = new RigClock();
    await using rig = await GitRig.ready(upstream.url, { clock, programs });
    const before = await readdir(rig.tempDir);
    const head = await upstream.push({ "a.yaml": "a: 2\n" }, "two");

    await writeFile(full, "");
    rig.repository.notify();
    const { error } = await rig.status("new", /^git fetch/);
    await clock.sleeping((ms) => ms > 7_900 && ms <= 10_000);
    await clock.advance(10_000);
    await clock.sleeping((ms) => ms > 15_900 && ms <= 20_000);

    const [clone = ""] = before.filter((name) => name.startsWith("flux-gitclone"));
    assert.equal(
      error,
      `git fetch --tags origin []: not enough disk space in ${join(rig.tempDir, clone)}; free up space, or set TMPDIR to a folder with more`,
    );
    assert.deepEqual(await readdir(rig.tempDir), before);
    await rm(full);
    await clock.advance(20_000);
    await rig.repository.ready(soon());
    assert.equal(await rig.repository.branchHead(soon()), head);
    assert.deepEqual(await readdir(rig.tempDir), before);
  });

  it("is not made fuller by halves of what could not be fetched", async () => {
    await using upstream = await upstreamWith();
    const full = join(upstream.root, "full");
    const programs = await fullDiskGit(upstream.root, full);
    await using rig = await GitRig.ready(upstream.url, { clock: standingClock, programs });
    await writeFile(full, "");

    for (let attempt = 0; attempt < 3; attempt += 1) {
      await assert.rejects(rig.repository.refresh(soon()), { name: "NoSpaceError" });
    }

    const files = await readdir(rig.tempDir, { recursive: true });
    assert.deepEqual(
      files.filter((name) => name.includes("tmp_pack")),
      [],
    );
  });
});

describe("a TMPDIR that is removed", () => {
  it("is made anew, with the mirror in it, and can be signed for and cleaned up as before", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { clock: standingClock });
    const head = await rig.freshHead();
    const exported = await rig.repository.export(head, soon());
    await exported[Symbol.asyncDispose]();

    await rm(rig.tempDir, { recursive: true });
    rig.repository.notify();
    await rig.status("new", /./);
    rig.repository.notify();
    await rig.repository.ready(soon());

    await using again = await rig.repository.export(head, soon());
    assert.deepEqual(await readdir(again.dir), [".git", "a.yaml"]);
    assert.deepEqual(await rig.folders(), ["flux-gitclone", "flux-owner", "flux-working"]);
  });

  it("does not leave an export that is only there by name", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { clock: standingClock });
    const head = await rig.freshHead();
    const exported = await rig.repository.export(head, soon());
    await exported[Symbol.asyncDispose]();

    await rm(exported.dir, { recursive: true });
    await using again = await rig.repository.export(head, soon());

    assert.deepEqual(await readdir(again.dir), [".git", "a.yaml"]);
  });
});

/** A folder with a git that cannot write what it fetches as long as the file `full` is there; half of it stays. */
async function fullDiskGit(root: string, full: string): Promise<string> {
  const programs = join(root, "programs");
  await mkdir(programs);
  const real = (await promisify(execFile)("sh", ["-c", "command -v git"])).stdout.trim();
  const failure = `echo x > objects/pack/tmp_pack_$$; echo 'fatal: write error: No space left on device' >&2; exit 128`;
  const script = `#!/bin/sh\ncase " $* " in *" fetch "*) [ -e ${full} ] && { ${failure}; };; esac\nexec ${real} "$@"\n`;
  await writeFile(join(programs, "git"), script, { mode: 0o755 });
  return programs;
}

/** Has upstream refuse the first deletions of refs; the function that's returned counts what was pushed so far. */
async function refuseDeletions(
  bare: string,
  most: number,
): Promise<() => Promise<{ readonly created: number; readonly deleted: number }>> {
  const log = join(bare, "pushed");
  const hook = `#!/bin/sh
while read -r old new ref; do
  echo "$new" >> ${log}
  case $new in *[!0]*) ;; *) [ "$(grep -c '^0*$' ${log})" -gt ${most} ] || exit 1 ;; esac
done
`;
  await writeFile(join(bare, "hooks", "pre-receive"), hook, { mode: 0o755 });
  return async () => {
    const pushed = (await readFile(log, "utf8")).trim().split("\n");
    const deleted = pushed.filter((id) => /^0+$/.test(id)).length;
    return { created: pushed.length - deleted, deleted };
  };
}
