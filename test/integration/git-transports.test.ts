import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { TimeoutError } from "@weir/base";
import { GitRig, type RigOptions, soon, standingClock, upstreamWith } from "../support/git-rig.ts";
import { missing, serveGitDaemon, serveGitHttp, serveGitSsh } from "../support/git-server.ts";
import type { TestRepository } from "../support/repository.ts";

const password = "p@ss/word:canary";

describe("an upstream can be worked with", () => {
  it("over git://", async () => {
    await using upstream = await upstreamWith();
    await using server = await serveGitDaemon(upstream.root);

    await assertWorks(upstream, server.url("upstream.git"));
  });

  it("over HTTP with credentials in the URL", async () => {
    await using upstream = await upstreamWith();
    await upstream.upstream("config", "http.receivepack", "true");
    await using server = await serveGitHttp(upstream.root, { user: "bot", password });

    await assertWorks(upstream, server.url("upstream.git"));
  });

  it("as a file URL and as a path", async () => {
    await using upstream = await upstreamWith();

    await assertWorks(upstream, upstream.url);
    await assertWorks(upstream, upstream.bare);
  });

  it("over ssh, as a URL and as host:path", { skip: missing() }, async () => {
    await using upstream = await upstreamWith();
    await using server = await serveGitSsh(upstream.root);

    await assertWorks(upstream, server.url("upstream.git"), { home: server.home });
    await assertWorks(upstream, server.scpUrl("upstream.git"), { home: server.home });
  });
});

describe("credentials in the URL", () => {
  it("are in no status, log or error, whatever goes wrong", async () => {
    await using upstream = await upstreamWith();
    await upstream.upstream("config", "http.receivepack", "true");
    await using server = await serveGitHttp(upstream.root, { user: "bot", password });
    const url = server.url("upstream.git");
    const seen: unknown[] = [];
    const keep = (error: unknown): number => seen.push(error);

    await using rig = await GitRig.ready(url, { clock: standingClock });
    await using clone = await rig.repository.workingClone(soon());
    await writeFile(join(clone.dir, "a.yaml"), "a: 3\n");
    await upstream.push({ "a.yaml": "a: 2\n" }, "meanwhile");
    await clone.commitAndPush({ message: "m", author: undefined, note: "n" }, soon()).catch(keep);
    await upstream.upstream("config", "http.receivepack", "false");
    await rig.repository.syncTag("t").move("HEAD", soon()).catch(keep);
    await rig.repository.refresh(AbortSignal.abort(new TimeoutError())).catch(keep);
    await server.server[Symbol.asyncDispose]();
    await rig.repository.refresh(soon()).catch(keep);
    await using locked = await GitRig.open(url.replace("canary", "Xcanary"), { clock: standingClock });
    locked.repository.start();
    await locked.status("new", /^git clone --mirror/);

    assert.equal(seen.length, 4);
    const told = inspect(
      [seen, rig.statuses, locked.statuses, rig.log.lines, locked.log.lines, rig.repository.safeUrl],
      {
        depth: 9,
        breakLength: Infinity,
      },
    );
    assert.match(told, /bot@127\.0\.0\.1/);
    for (const secret of [password, encodeURIComponent(password), "word", "canary"]) {
      assert.equal(told.includes(secret), false, `${secret} is in: ${told}`);
    }
  });

  it("that are wrong are not asked for anywhere else", async () => {
    await using upstream = await upstreamWith();
    await using server = await serveGitHttp(upstream.root, { user: "bot", password });
    await using rig = await GitRig.open(`http://127.0.0.1:${server.port}/upstream.git`, {
      clock: standingClock,
    });

    rig.repository.start();

    await rig.status("new", /could not read Username for .*: terminal prompts disabled/);
  });
});

/** Clones, sees a push, commits, and moves the tag. */
async function assertWorks(upstream: TestRepository, url: string, options: RigOptions = {}): Promise<void> {
  await using rig = await GitRig.ready(url, options);
  const pushed = await upstream.push({ "a.yaml": `# ${url}\n` }, "from a developer");
  assert.equal(await rig.freshHead(), pushed);

  await using clone = await rig.repository.workingClone(soon());
  await writeFile(join(clone.dir, "a.yaml"), `# ours: ${url}\n`);
  const ours = await clone.commitAndPush({ message: "ours", author: undefined, note: "{}" }, soon());
  const tag = rig.repository.syncTag("flux-sync");
  await rig.repository.refresh(soon());
  await tag.move(ours, soon());

  assert.equal(await upstream.upstream("rev-parse", "master"), ours);
  assert.equal(await upstream.upstream("notes", "--ref=flux", "show", ours), "{}");
  assert.equal(await upstream.synced(), ours);
  assert.equal(await tag.revision(soon()), ours);
  await upstream.pull();
}
