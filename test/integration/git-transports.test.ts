import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { TimeoutError } from "@weir/base";
import { assertWorks, GitRig, soon, standingClock, upstreamWith } from "../support/git-rig.ts";
import { serveGitDaemon, serveGitHttp } from "../support/git-server.ts";

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
});
