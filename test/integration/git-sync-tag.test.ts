import assert from "node:assert/strict";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { GitRig, soon, upstreamWith } from "../support/git-rig.ts";

describe("the sync tag", () => {
  it("is not there at first, then an annotated tag of the configured user, moved by force", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url);
    const tag = rig.repository.syncTag("flux-sync");
    const first = await rig.freshHead();
    assert.equal(tag.description, "tag flux-sync");
    assert.equal(await tag.revision(soon()), "");

    await tag.move(first, soon());
    assert.equal(await tag.revision(soon()), first);
    const second = await upstream.push({ "a.yaml": "a: 2\n" }, "two");
    await rig.repository.refresh(soon());
    await tag.move(second, soon());
    await tag.move(first, soon());

    assert.match(
      await upstream.upstream("cat-file", "tag", "flux-sync"),
      new RegExp(
        `^object ${first}\ntype commit\ntag flux-sync\ntagger Weave Flux <support@weave\\.works> \\d+ \\+0000\n\nSync pointer$`,
      ),
    );
    assert.equal(await upstream.synced(), first);
    assert.equal(await tag.revision(soon()), first);
    await rig.repository.refresh(soon());
    assert.equal(await tag.revision(soon()), first);
  });

  it("is read where others put it, also when they made it a plain one", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url);
    const tag = rig.repository.syncTag("flux-sync");
    const head = await rig.freshHead();

    await upstream.upstream("tag", "flux-sync", "master");
    await rig.repository.refresh(soon());

    assert.equal(await tag.revision(soon()), head);
  });

  it("isn't pushed again after a restart if it's already there", async () => {
    await using upstream = await upstreamWith();
    {
      await using rig = await GitRig.ready(upstream.url);
      await rig.repository.syncTag("flux-sync").move(await rig.freshHead(), soon());
    }
    await using restarted = await GitRig.ready(upstream.url);
    const head = await restarted.freshHead();
    const hook = join(upstream.bare, "hooks", "pre-receive");
    await mkdir(join(upstream.bare, "hooks"), { recursive: true });
    await writeFile(hook, "#!/bin/sh\nexit 1\n");
    await chmod(hook, 0o755);

    await restarted.repository.syncTag("flux-sync").move(head, soon());

    assert.equal(await upstream.synced(), head);
  });

  it("stays where it was where upstream refuses to move it, or the commit is not known", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url);
    const tag = rig.repository.syncTag("flux-sync");
    const hook = join(upstream.bare, "hooks", "pre-receive");
    await mkdir(join(upstream.bare, "hooks"), { recursive: true });
    await writeFile(hook, "#!/bin/sh\nexit 1\n");
    await chmod(hook, 0o755);

    await assert.rejects(tag.move(await rig.freshHead(), soon()), {
      message: /^pushing tag to origin: failed to push some refs to .*pre-receive hook declined/s,
    });
    assert.equal(await tag.revision(soon()), "");
    await assert.rejects(tag.move("f".repeat(40), soon()), { message: /^moving tag flux-sync: / });

    await rm(hook);
    await tag.move(await rig.freshHead(), soon());
    assert.equal(await upstream.synced(), await tag.revision(soon()));
  });
});
