import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type PolicySet, parseResourceId } from "@weir/flux";
import { resourcesOf } from "../../../../dev/testing/src/update-world.ts";
import { locksFor, workloadsToLock } from "../../../../src/daemon/undo/locks.ts";

const id = "default:deployment/a";

/** Whether a workload is locked whose image and policies change like that. */
function locks(
  before: { image: string; policies?: PolicySet },
  after: { image: string; policies?: PolicySet },
): boolean {
  const set = ({ image, policies = {} }: typeof before) =>
    resourcesOf({ [id]: { images: { main: image }, policies } });
  return workloadsToLock([parseResourceId(id)], { now: set(before), undone: set(after) }).length > 0;
}

describe("the locks after an undone change", () => {
  const automated = { automated: "true" };
  const locked = { automated: "true", locked: "true" };

  it("are for automated workloads that get other images", () => {
    assert.equal(locks({ image: "a:2", policies: automated }, { image: "a:1", policies: automated }), true);
    assert.equal(locks({ image: "a:2", policies: automated }, { image: "a:2", policies: automated }), false);
    assert.equal(locks({ image: "a:2" }, { image: "a:1" }), false);
    assert.equal(locks({ image: "a:2" }, { image: "a:1", policies: automated }), true);
  });

  it("leave a lock as it is, and don't bring back one that is taken back", () => {
    assert.equal(locks({ image: "a:2", policies: locked }, { image: "a:1", policies: locked }), false);
    assert.equal(locks({ image: "a:1", policies: locked }, { image: "a:2", policies: automated }), false);
  });

  it("say which commit was undone, and who did it", () => {
    const commit = { revision: "0123456789", message: "Release a:2" };

    const updates = locksFor([parseResourceId(id)], commit, { user: "Ann", message: "" });

    assert.deepEqual(Object.fromEntries(updates), {
      [id]: {
        add: { locked: "true", locked_msg: "undid 0123456: Release a:2", locked_user: "Ann" },
        remove: null,
      },
    });
  });
});
