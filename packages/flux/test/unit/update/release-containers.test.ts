import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { plan, type World } from "../../../../../dev/testing/src/update-world.ts";
import { parseImageRef } from "../../../src/image/ref.ts";
import { parseResourceId } from "../../../src/resource/id.ts";
import { plannerOf } from "../../../src/update/calculate.ts";
import type { ContainerUpdate, ReleaseSpec } from "../../../src/update/spec.ts";

const id = parseResourceId("ns:deployment/w");
const git = { "ns:deployment/w": { images: { main: "app:1", side: "side:1" } } };

function update(container: string, current: string | undefined, target: string): ContainerUpdate {
  return {
    container,
    current: current === undefined ? undefined : parseImageRef(current),
    target: parseImageRef(target),
  };
}

function release(
  updates: readonly ContainerUpdate[],
  options: { readonly skipMismatches?: boolean; readonly force?: boolean } = {},
): ReleaseSpec {
  const { skipMismatches = false, force = false } = options;
  const containers = new Map([[id, updates]]);
  return {
    type: "containers",
    cause: { message: "", user: "" },
    spec: { kind: "execute", containers, skipMismatches, force },
  };
}

/** What becomes of the workload, and why the release as a whole is refused. */
function outcome(spec: ReleaseSpec, world: World): object {
  const result = plan(spec, world);
  return { ...result.get(id), refused: plannerOf(spec).refuse?.(result) };
}

const main = update("main", "app:1", "app:2");
const unlocked = { git };
const locked = { git: { "ns:deployment/w": { ...git["ns:deployment/w"], policies: { locked: "true" } } } };

describe("a release of containers", () => {
  it("sets the images that were asked for", () => {
    const updates = [main, update("side", undefined, "other.test/side:7")];

    assert.deepEqual(outcome(release(updates), unlocked), {
      status: "success",
      containers: updates,
      refused: undefined,
    });
  });

  it("lets git catch up with an image that runs already", () => {
    const world = { git, cluster: { "ns:deployment/w": { images: { main: "app:2", side: "side:1" } } } };

    assert.deepEqual(outcome(release([main]), world), {
      ...{ status: "success", containers: [main], refused: undefined },
    });
    const unexpected = outcome(release([update("main", "app:0", "app:2")]), world);
    assert.equal("status" in unexpected && unexpected.status, "failed");
  });

  for (const [what, spec, world, status, error, refused] of [
    [
      "a container that is not there",
      release([main, update("gone", "x:1", "x:2")]),
      unlocked,
      "failed",
      "container(s) not found: gone",
      "cannot satisfy specs",
    ],
    [
      "a container that runs something else",
      release([update("main", "app:0", "app:2"), update("side", "side:0", "side:2")]),
      unlocked,
      "failed",
      "container(s) tag mismatch: main, side",
      "cannot satisfy specs",
    ],
    [
      "the same, skipped",
      release([update("main", "app:0", "app:2")], { skipMismatches: true }),
      unlocked,
      "skipped",
      "container(s) tag mismatch: main",
      "no changes found",
    ],
    [
      "what runs already",
      release([update("main", "app:1", "app:1")]),
      unlocked,
      "skipped",
      "image(s) up to date",
      "no changes found",
    ],
    ["a locked workload", release([main]), locked, "skipped", "locked", "no changes found"],
    [
      "a workload that is to be ignored",
      release([main]),
      { git, cluster: { "ns:deployment/w": { ...git["ns:deployment/w"], policies: { ignore: "true" } } } },
      "skipped",
      "ignore",
      "no changes found",
    ],
    [
      "a workload that does not run",
      release([main]),
      { git, cluster: {} },
      "skipped",
      "not accessible in cluster",
      "no changes found",
    ],
    [
      "a workload whose image cannot be read",
      release([main]),
      { git, cluster: { "ns:deployment/w": { images: { main: "a:b:c" } } } },
      "failed",
      "expected image name as either <image>:<tag> or just <image>: invalid image ID",
      "cannot satisfy specs",
    ],
  ] as const) {
    it(`does not update ${what}: ${error}`, () => {
      assert.deepEqual(outcome(spec, world), { status, error, containers: null, refused });
    });
  }

  it("ignores all other workloads", () => {
    const other = parseResourceId("ns:deployment/other");
    const result = plan(release([main]), { git: { ...git, [other]: { images: {} } } });

    assert.deepEqual(result.get(other), { status: "ignored", error: "not included", containers: null });
  });

  it("does the rest where mismatches are skipped, and tells of them", () => {
    const spec = release([main, update("side", "side:0", "side:2")], { skipMismatches: true });

    assert.deepEqual(outcome(spec, unlocked), {
      status: "success",
      error: "container(s) tag mismatch: side",
      containers: [main],
      refused: undefined,
    });
  });

  it("overrides a lock with force", () => {
    assert.deepEqual(outcome(release([main], { force: true }), locked), {
      status: "success",
      containers: [main],
      refused: undefined,
    });
  });
});
