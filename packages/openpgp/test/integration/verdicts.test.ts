import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { lacks } from "@weir/testing";
import { type GitVerdict } from "./support/signed-objects.ts";

import { World } from "./support/world.ts";

describe("a verdict equals git's", { skip: lacks("gpg") }, () => {
  const world = new World();
  before(() => world.build());
  after(() => world[Symbol.asyncDispose]());

  it("for every commit", async () => {
    const hashes = await world.objects.writeCommits(world.cases);
    const fromGit = await world.objects.verdicts(hashes, world.verifier);

    const ours = await Promise.all(world.cases.map((each) => world.verify(each)));

    assert.deepEqual(
      ours.map(({ status, key }, index) => ({ title: world.cases[index]?.title, status, key })),
      fromGit.map((each, index) => ({ title: world.cases[index]?.title, ...asOurs(each) })),
    );
    assert.ok(ours.length >= 60, `only ${ours.length} cases`);
  });

  it("and each case is what it should be", async () => {
    for (const each of world.cases) {
      const { status, reason } = await world.verify(each);
      assert.equal(status, each.expected, `${each.title}: ${reason}`);
      assert.match(reason, each.reason, each.title);
    }
  });

  it("for tags, as git verify-tag", async () => {
    const [commit = ""] = await world.objects.writeCommits(world.cases.slice(0, 1));
    const tags = await world.signTags(commit);
    const hashes = await world.objects.writeTags(tags);

    for (const [index, tag] of tags.entries()) {
      const { status } = await world.verify(tag);
      const accepted = await world.objects.acceptsTag(hashes[index] ?? "", world.verifier);
      assert.equal(["G", "U"].includes(status), accepted, `${tag.title}: ${status}`);
    }
  });
});

/** git shows "N" for a signature that gpg couldn't read, as for none at all. */
function asOurs({ status, key }: GitVerdict): GitVerdict {
  return { status: status === "N" ? "E" : status, key };
}
