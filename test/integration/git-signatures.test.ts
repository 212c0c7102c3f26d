import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { UnverifiedError } from "@weir/flux";
import { openSshSigner } from "../../cmd/fluxd/ssh-signer.ts";
import { SigningError } from "../../src/git/errors.ts";
import type { Repository } from "../../src/git/repository.ts";
import type { VerifiedCommit } from "../../src/git/verdicts.ts";
import { CountedGit } from "../support/counted-git.ts";
import { GitRig, RigClock, soon, upstreamWith } from "../support/git-rig.ts";
import type { TestRepository } from "../support/repository.ts";
import { SshSigning } from "../support/ssh-signing.ts";

const action = { message: "Updated\n\n- one\n# two\n\n\n", author: "J\u00f6 <jo@x.test>", note: "{}" };

describe("a commit that fluxd signs", () => {
  it("is the commit that it would be without, and git verifies it", async () => {
    using keys = new SshSigning("flux");
    keys.allow("flux");
    await using upstream = await upstreamWith({ "a.yaml": "a: 1\n" });
    await using rig = await GitRig.ready(upstream.url, { signer: await openSshSigner(keys.key("flux")) });
    await using clone = await rig.repository.workingClone(soon());
    const before = await clone.headRevision(soon());
    await writeFile(join(clone.dir, "a.yaml"), "a: 2\n");

    const revision = await clone.commitAndPush(action, soon());

    assert.equal(await upstream.upstream("rev-parse", "master"), revision);
    assert.equal(await clone.headRevision(soon()), revision);
    assert.equal(await upstream.upstream("notes", "--ref=flux", "show", revision), "{}");
    await upstream.pull();
    await upstream.inClone(["verify-commit", revision], { config: keys.config() });
    const raw = await upstream.upstream("cat-file", "commit", revision);
    const [tree = "", seconds = ""] = [/^tree (\w+)$/m, /^committer .* (\d+ \+0000)$/m].map(
      (pattern) => pattern.exec(raw)?.[1] ?? "",
    );
    assert.equal(
      raw.replace(/^gpgsig (.*\n )*.*\n/m, ""),
      `tree ${tree}\nparent ${before}\nauthor J\u00f6 <jo@x.test> ${seconds}\ncommitter Weave Flux <support@weave.works> ${seconds}\n\nUpdated\n\n- one\n# two`,
    );
  });

  it("isn't made if it can't be signed, with the error that Flux v1 has for that", async () => {
    await using upstream = await upstreamWith({ "a.yaml": "a: 1\n" });
    const signer = { sign: () => Promise.reject(new Error("no such key")) };
    await using rig = await GitRig.ready(upstream.url, { signer });
    await using clone = await rig.repository.workingClone(soon());
    const before = await clone.headRevision(soon());
    await writeFile(join(clone.dir, "a.yaml"), "a: 2\n");

    await assert.rejects(clone.commitAndPush(action, soon()), (error) => {
      assert.ok(error instanceof SigningError);
      assert.equal(
        error.message,
        "git commit: gpg failed to sign the data, full output:\n error: gpg failed to sign the data\nfatal: failed to write commit object\n",
      );
      return true;
    });

    assert.equal(await upstream.upstream("rev-parse", "master"), before);
  });
});

describe("the sync tag", () => {
  it("is signed, so that git verifies it, and so does fluxd", async () => {
    using keys = new SshSigning("flux");
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, {
      signer: await openSshSigner(keys.key("flux")),
      verifier: keys.verifier(keys.allow("flux")),
    });
    const tag = rig.repository.syncTag("flux-sync");
    const head = await rig.freshHead();

    await tag.move(head, soon());

    assert.equal(await tag.revision(soon()), head);
    await upstream.inClone(["fetch", "-q", upstream.bare, "tag", "flux-sync"]);
    await upstream.inClone(["verify-tag", "flux-sync"], { config: keys.config() });
    assert.match(
      await upstream.upstream("cat-file", "tag", "flux-sync"),
      /\n\nSync pointer\n-----BEGIN SSH SIGNATURE-----\n/,
    );
  });

  it("isn't moved if it can't be signed, with the error that Flux v1 has for that", async () => {
    await using upstream = await upstreamWith();
    const signer = { sign: () => Promise.reject(new Error("no such key")) };
    await using rig = await GitRig.ready(upstream.url, { signer });
    const tag = rig.repository.syncTag("flux-sync");

    await assert.rejects(tag.move(await rig.freshHead(), soon()), (error) => {
      assert.ok(error instanceof SigningError);
      assert.equal(
        error.message,
        "moving tag flux-sync: gpg failed to sign the data, full output:\n error: gpg failed to sign the data\nerror: unable to sign the tag\n",
      );
      return true;
    });

    assert.equal(await upstream.synced(), "");
  });

  it("must be an annotated tag with a good signature", async () => {
    using keys = new SshSigning("flux", "stranger");
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { verifier: keys.verifier(keys.allow("flux")) });
    const noSignature =
      "verifying tag flux-sync: no signature found, full output:\n error: no signature found\n";
    const noTag = "flux-sync: cannot verify a non-tag object of type commit.";

    assert.equal(await rig.repository.syncTag("flux-sync").revision(soon()), "");
    assert.equal(
      await tagged(upstream, rig, ["flux-sync"]),
      `verifying tag flux-sync: ${noTag}, full output:\n error: ${noTag}\n`,
    );
    assert.equal(await tagged(upstream, rig, ["-m", "m", "flux-sync"]), noSignature);
    const signed = { config: keys.config("flux") };
    assert.equal(await tagged(upstream, rig, ["-s", "-m", "m", "flux-sync"], signed), "");
    const strange = { config: keys.config("stranger") };
    const unknown = "verifying tag flux-sync: exit status 1";
    assert.equal(await tagged(upstream, rig, ["-s", "-m", "m", "flux-sync"], strange), unknown);
    await assert.rejects(upstream.inClone(["verify-tag", "flux-sync"], strange));
    assert.equal(await tagged(upstream, rig, ["-s", "-m", "m", "flux-sync"], signed), "");
    const object = await upstream.upstream("cat-file", "tag", "flux-sync");
    await forgeTag(upstream, `${object.replace("\nm\n", "\nM\n")}\n`);
    assert.equal(await refusal(rig), "verifying tag flux-sync: exit status 1");
  });

  it("may be any signed tag, as in Flux v1, whatever name it was made for", async () => {
    using keys = new SshSigning("flux");
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { verifier: keys.verifier(keys.allow("flux")) });

    await upstream.inClone(["tag", "-s", "-m", "m", "v1"], { config: keys.config("flux") });
    await upstream.inClone(["push", "-q", upstream.bare, "v1:refs/tags/flux-sync"]);

    assert.equal(await refusal(rig), "");
  });
});

describe("commits", () => {
  it("get git's own verdicts, and remembered ones without asking again", async () => {
    using keys = new SshSigning("flux", "stranger");
    using git = new CountedGit();
    await using upstream = await upstreamWith();
    await commit(upstream, keys, "flux");
    await commit(upstream, keys, "stranger");
    await commit(upstream, keys);
    const signed = await commit(upstream, keys, "flux");
    const forged = await forgeCommit(upstream, signed);
    await using rig = await GitRig.ready(upstream.url, {
      verifier: keys.verifier(keys.allow("flux")),
      programs: git.programs,
    });
    const to = await rig.freshHead();
    const hashes = await rig.repository.hashes({ from: "", to, firstParent: false }, soon());

    const verdicts = await verify(rig.repository, hashes);
    const started = git.starts;
    const again = await verify(rig.repository, hashes);

    assert.equal(to, forged);
    const format = "--format=%H %G?";
    await upstream.pull();
    const theirs = await upstream.inClone(["log", format], { config: keys.config() });
    assert.equal(verdicts.map(({ revision, status }) => `${revision} ${status}`).join("\n"), theirs);
    assert.equal(verdicts.map(({ status }) => status).join(""), "BGNUGN");
    assert.deepEqual(again, verdicts);
    assert.equal(git.starts, started);
  });

  it("are verified again when allowed signers change, and after an hour", async () => {
    using keys = new SshSigning("flux");
    using git = new CountedGit();
    await using upstream = await upstreamWith();
    const revision = await commit(upstream, keys, "flux");
    const clock = new RigClock();
    await using rig = await GitRig.ready(upstream.url, {
      verifier: keys.verifier(keys.allow()),
      clock,
      pollInterval: 36_000_000,
      programs: git.programs,
    });
    const look = async (): Promise<string> => {
      const before = git.starts;
      const [verdict] = await verify(rig.repository, [revision]);
      return `${verdict?.status} ${git.starts - before}`;
    };

    assert.deepEqual([await look(), await look()], ["U 2", "U 0"]);
    keys.allow("flux");
    assert.deepEqual([await look(), await look()], ["G 2", "G 0"]);
    keys.allow();
    assert.deepEqual([await look(), await look()], ["U 2", "U 0"]);
    keys.allow("flux");
    await clock.advance(3_600_000);
    assert.deepEqual([await look(), await look()], ["G 2", "G 0"]);
  });

  it("are listed in git's order, with what was merged or without", async () => {
    await using upstream = await upstreamWith();
    await upstream.inClone(["checkout", "-q", "-b", "side"]);
    await upstream.push({ "b.yaml": "b: 1\n" }, "on the side");
    await upstream.inClone(["checkout", "-q", "-"]);
    const from = await upstream.inClone(["rev-parse", "HEAD"]);
    await upstream.push({ "c.yaml": "c: 1\n" }, "on the branch");
    await upstream.inClone(["merge", "-q", "--no-ff", "-m", "merged", "side"]);
    await upstream.inClone(["push", "-q", upstream.bare, "HEAD:refs/heads/master"]);
    await using rig = await GitRig.ready(upstream.url);
    const to = await rig.freshHead();

    for (const [firstParent, options] of [
      [false, []],
      [true, ["--first-parent"]],
    ] as const) {
      const expected = await upstream.upstream("log", "--format=%H", ...options, `${from}..${to}`);
      assert.deepEqual(await rig.repository.hashes({ from, to, firstParent }, soon()), expected.split("\n"));
    }
  });

  it("are verified as they are checked out, and not as refs/replace shows them", async () => {
    using keys = new SshSigning("flux");
    await using upstream = await upstreamWith();
    const good = await commit(upstream, keys, "flux");
    const bad = await commit(upstream, keys);
    await upstream.upstream("update-ref", `refs/replace/${bad}`, good);
    await using rig = await GitRig.ready(upstream.url, { verifier: keys.verifier(keys.allow("flux")) });
    const to = await rig.freshHead();

    const hashes = await rig.repository.hashes({ from: good, to, firstParent: false }, soon());
    const [verdict] = await verify(rig.repository, hashes);

    assert.equal(await upstream.upstream("log", "-1", "--format=%s", bad), "a commit of flux");
    assert.deepEqual(hashes, [bad]);
    assert.deepEqual(
      [verdict?.revision, verdict?.status, verdict?.author],
      [bad, "N", "Dev <dev@example.test>"],
    );
  });

  it("that don't exist, and objects that are no commits, aren't good", async () => {
    using keys = new SshSigning("flux");
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { verifier: keys.verifier(keys.allow("flux")) });
    const tree = await upstream.upstream("rev-parse", "master^{tree}");

    const verdicts = await verify(rig.repository, ["0".repeat(40), tree]);

    assert.deepEqual(
      verdicts.map(({ status, reason }) => `${status} ${reason}`),
      ["E there's no such commit", "E there's no such commit"],
    );
  });
});

/** Pushes an empty commit, signed with a key or not; resolves to its hash. */
async function commit(upstream: TestRepository, keys: SshSigning, signer?: string): Promise<string> {
  const signing = signer === undefined ? [] : ["-S"];
  const message = `a commit of ${signer ?? "nobody"}`;
  await upstream.inClone(["commit", "-q", "--allow-empty", "-m", message, ...signing], {
    config: keys.config(signer),
  });
  await upstream.inClone(["push", "-q", upstream.bare, "HEAD:refs/heads/master"]);
  return upstream.inClone(["rev-parse", "HEAD"]);
}

/** Pushes a commit with the signature of another one. */
async function forgeCommit(upstream: TestRepository, signed: string): Promise<string> {
  const raw = await upstream.inClone(["cat-file", "commit", signed]);
  const file = join(upstream.workTree, ".git", "forged");
  await writeFile(file, `${raw.replace(/^parent .*$/m, `parent ${signed}`)}\n`);
  const forged = await upstream.inClone(["hash-object", "-t", "commit", "-w", file]);
  await upstream.inClone(["push", "-q", upstream.bare, `${forged}:refs/heads/master`]);
  return forged;
}

async function forgeTag(upstream: TestRepository, text: string): Promise<void> {
  const file = join(upstream.workTree, ".git", "forged");
  await writeFile(file, text);
  const forged = await upstream.inClone(["hash-object", "-t", "tag", "-w", file]);
  await upstream.inClone(["push", "-q", "--force", upstream.bare, `${forged}:refs/tags/flux-sync`]);
}

/** Makes the sync tag upstream with `git tag`, and resolves to fluxd's error. */
async function tagged(
  upstream: TestRepository,
  rig: GitRig,
  args: readonly string[],
  options: { readonly config?: readonly string[] } = {},
): Promise<string> {
  await upstream.inClone(["tag", "--force", ...args], options);
  await upstream.inClone(["push", "-q", "--force", upstream.bare, "refs/tags/flux-sync"]);
  return refusal(rig);
}

/** The error for the sync tag; "" if it's accepted. */
async function refusal(rig: GitRig): Promise<string> {
  await rig.repository.refresh(soon());
  try {
    await rig.repository.syncTag("flux-sync").revision(soon());
    return "";
  } catch (error) {
    assert.ok(error instanceof UnverifiedError, String(error));
    return error.message;
  }
}

async function verify(
  repository: Repository,
  revisions: readonly string[],
): Promise<readonly VerifiedCommit[]> {
  const verdicts: VerifiedCommit[] = [];
  for await (const verdict of repository.verify(revisions, soon())) {
    verdicts.push(verdict);
  }
  return verdicts;
}
