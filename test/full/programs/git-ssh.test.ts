import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Relay, until } from "@weir/testing";
import { assertWorks, GitRig, processesOf, soon, upstreamWith } from "../../support/git-rig.ts";
import { missing, serveGitSsh } from "../../support/git-server.ts";

describe("an upstream behind sshd", { skip: missing() }, () => {
  it("can be worked with, as a URL and as host:path", async () => {
    await using upstream = await upstreamWith();
    await using server = await serveGitSsh(upstream.root);

    await assertWorks(upstream, server.url("upstream.git"), { home: server.home });
    await assertWorks(upstream, server.scpUrl("upstream.git"), { home: server.home });
  });

  it("keeps no ssh that hangs running, once git is told to end", async () => {
    await using upstream = await upstreamWith();
    await using server = await serveGitSsh(upstream.root);
    await using relay = new Relay(server.port);
    const port = await relay.listen();
    const url = server.url("upstream.git").replace(`:${server.port}/`, `:${port}/`);
    await using rig = await GitRig.ready(url, { home: server.home });
    const controller = new AbortController();
    const before = relay.connections;
    relay.freeze();

    const tag = rig.repository.syncTag("t").move(await rig.repository.branchHead(soon()), controller.signal);
    const failed = assert.rejects(tag, { name: "GitError", failure: "aborted" });
    await until(
      "ssh",
      () => relay.connections > before && processesOf(rig).then((names) => names.includes("ssh")),
    );
    controller.abort(new Error("enough"));
    await failed;

    assert.deepEqual(await processesOf(rig), []);
  });
});
