import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef } from "../../../src/image/ref.ts";
import { makeResourceId, parseResourceId } from "../../../src/resource/id.ts";
import { releaseCommitMessage } from "../../../src/update/commit-message.ts";
import type { UpdateResult, WorkloadResult } from "../../../src/update/result.ts";
import { allWorkloadsSpec, latestImageSpec, type ReleaseSpec } from "../../../src/update/spec.ts";

const a = parseResourceId("ns:deployment/a");
const b = parseResourceId("ns:deployment/b");
const cause = { message: "", user: "" };
const none: UpdateResult = new Map();

function success(...targets: readonly string[]): WorkloadResult {
  const containers = targets.map((target) => ({
    container: "c",
    current: undefined,
    target: parseImageRef(target),
  }));
  return { status: "success", containers };
}

function ofImage(image: string, ...workloads: readonly string[]): ReleaseSpec {
  return { type: "image", cause, spec: { workloads, image, kind: "execute", excludes: null, force: false } };
}

const ofContainers: ReleaseSpec = {
  type: "containers",
  cause,
  spec: { kind: "execute", containers: new Map(), skipMismatches: false, force: false },
};
const ofAutomation: ReleaseSpec = { type: "auto", cause, spec: [] };

describe("releaseCommitMessage", () => {
  it("is what the cause says, where it says something", () => {
    const spec = { ...ofAutomation, cause: { message: "because", user: "" } };

    assert.equal(releaseCommitMessage(spec, none), "because");
  });

  it("names the image and the workloads", () => {
    const image = "quay.io/org/app:2.0.0";

    assert.equal(
      releaseCommitMessage(ofImage(image, a, b), none),
      `Release quay.io/org/app:2.0.0 to ${a}, ${b}`,
    );
    assert.equal(
      releaseCommitMessage(ofImage(latestImageSpec, allWorkloadsSpec), none),
      "Release all latest to all",
    );
    assert.equal(
      releaseCommitMessage(ofImage(image, makeResourceId("<cluster>", "thing", "x")), none),
      "Release quay.io/org/app:2.0.0 to cluster>:thing/x",
    );
  });

  it("names the images of each workload whose containers were set, sorted, and what failed", () => {
    const result = new Map([
      [b, success("y:2")],
      [a, success("x:1", "y:1")],
      [parseResourceId("ns:deployment/c"), { status: "failed", error: "broke", containers: null } as const],
    ]);

    assert.equal(
      releaseCommitMessage(ofContainers, result),
      `Update image refs in ${a}, ${b}\n\n${a}\n- x:1\n- y:1\n\n${b}\n- y:2\n\nns:deployment/c failed: broke`,
    );
    assert.equal(
      releaseCommitMessage(ofContainers, new Map([[a, success("x:1")]])),
      `Update image refs in ${a}\n\n${a}\n- x:1\n`,
    );
  });

  it("names the images that automation set, each once", () => {
    const message = (result: UpdateResult): string => releaseCommitMessage(ofAutomation, result);

    assert.equal(message(none), "Auto-release (no images)\n");
    assert.equal(
      message(
        new Map([
          [a, success("x:1")],
          [b, success("x:1")],
        ]),
      ),
      "Auto-release x:1",
    );
    assert.equal(
      message(
        new Map([
          [a, success("y:1")],
          [b, success("x:1")],
        ]),
      ),
      "Auto-release multiple (2) images\n\n - x:1\n - y:1\n",
    );
  });
});
