import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  metadataOf,
  resourcesOf,
  type World,
  workloadsOf,
} from "../../../../../dev/testing/src/update-world.ts";
import { unknownImageInfo } from "../../../src/image/info.ts";
import { parseImageRef, printImageRef } from "../../../src/image/ref.ts";
import type { PolicySet } from "../../../src/resource/policy.ts";
import { automatedWorkloads, findUpdates, type Outcome } from "../../../src/update/find-updates.ts";
import { ImageRepositories } from "../../../src/update/images.ts";

const id = "default:deployment/web";
const days = {
  "1.0": "2020-01-01T00:00:00Z",
  "1.1": "2020-01-02T00:00:00.5Z",
  "2.0": "2020-01-03T00:00:00Z",
  other: "2020-01-09T00:00:00Z",
};

/** What is found for a workload with one container, by what its policies say of it. */
function found(
  image: string,
  policies: PolicySet,
  tags: Readonly<Record<string, string | null>>,
): readonly string[] {
  const world: World = { git: { [id]: { images: { main: image }, policies } } };
  const repositories = new ImageRepositories([
    [parseImageRef("example.test/app"), metadataOf("example.test/app", tags)],
  ]);
  const findings = findUpdates(workloadsOf(world), () => policies, repositories);
  return findings.map(({ outcome }) => print(outcome));
}

function print(outcome: Outcome): string {
  return outcome.kind === "update"
    ? `${printImageRef(outcome.change.image)}: ${outcome.reason}`
    : [outcome.warning, ...Object.values(outcome.details)].join("; ");
}

describe("what automation finds for a container", () => {
  it("is the newest image, by its time", () => {
    assert.deepEqual(found("example.test/app:1.0", {}, days), [
      "example.test/app:other: latest other (2020-01-09 00:00:00 +0000 UTC) > current 1.0 (2020-01-01 00:00:00 +0000 UTC)",
    ]);
  });

  it("is the newest image that the pattern in git allows", () => {
    assert.deepEqual(found("example.test/app:1.0", { "tag.main": "glob:1.*" }, days), [
      "example.test/app:1.1: latest 1.1 (2020-01-02 00:00:00.5 +0000 UTC) > current 1.0 (2020-01-01 00:00:00 +0000 UTC)",
    ]);
  });

  it("is the highest version, of whatever time", () => {
    const tags = { "1.0": days["1.0"], "2.0": days["2.0"], "1.9": days.other };

    assert.deepEqual(found("example.test/app:1.0", { "tag.main": "semver:*" }, tags), [
      "example.test/app:2.0: latest 2.0 (2020-01-03 00:00:00 +0000 UTC) > current 1.0 (2020-01-01 00:00:00 +0000 UTC)",
    ]);
  });

  it("is an image where the one that runs is not known, by version only", () => {
    assert.deepEqual(found("example.test/app:0.9", { "tag.main": "semver:*" }, { "1.0": days["1.0"] }), [
      "example.test/app:1.0: latest 1.0 (2020-01-01 00:00:00 +0000 UTC) > current 0.9 (0001-01-01 00:00:00 +0000 UTC)",
    ]);
    assert.deepEqual(found("example.test/app:0.9", {}, { "1.0": days["1.0"] }), [
      "image with zero created timestamp; example.test/app:0.9 (0001-01-01 00:00:00 +0000 UTC); example.test/app:1.0 (2020-01-01 00:00:00 +0000 UTC)",
    ]);
  });

  it("is nothing where the newest runs, none is allowed, or nothing is known", () => {
    assert.deepEqual(found("example.test/app:other", {}, days), []);
    assert.deepEqual(found("example.test/app:1.0", { "tag.main": "glob:3.*" }, days), []);
    assert.deepEqual(found("example.test/app:1.0", {}, {}), []);
    assert.deepEqual(found("elsewhere.test/app:1.0", {}, days), []);
  });

  describe("of an image with a tag and a digest", () => {
    const pinned = `example.test/app:1.0@sha256:${"a".repeat(64)}`;
    const name = `example.test/app@sha256:${"a".repeat(64)}`;

    for (const filter of ["glob:1.*", "regexp:^1", undefined]) {
      it(`is that it cannot be compared by time, as in Flux v1, with the filter ${filter ?? "that is none"}`, () => {
        const latest = filter === undefined ? "other (2020-01-09 00:00:00 " : "1.1 (2020-01-02 00:00:00.5 ";
        assert.deepEqual(found(pinned, filter === undefined ? {} : { "tag.main": filter }, days), [
          `image with zero created timestamp; ${name} (0001-01-01 00:00:00 +0000 UTC); example.test/app:${latest}+0000 UTC)`,
        ]);
      });

      it(`is that also where its tag is the newest, with the filter ${filter ?? "that is none"}`, () => {
        const policies = filter === undefined ? {} : { "tag.main": filter };

        assert.deepEqual(found(pinned, policies, { "1.0": days["1.0"] }), [
          `image with zero created timestamp; ${name} (0001-01-01 00:00:00 +0000 UTC); example.test/app:1.0 (2020-01-01 00:00:00 +0000 UTC)`,
        ]);
      });
    }

    it("is the highest version under its old digest, as in Flux v1", () => {
      assert.deepEqual(found(pinned, { "tag.main": "semver:^1" }, days), [
        `${name}: latest 1.1 (2020-01-02 00:00:00.5 +0000 UTC) > current 1.0 (0001-01-01 00:00:00 +0000 UTC)`,
      ]);
    });
  });

  describe("of a repository with a tag whose image has no name", () => {
    const name = parseImageRef("example.test/app");
    const known = metadataOf("example.test/app", { "1.0": days["1.0"], "1.1": null });
    const images = new Map([...known.images, ["1.1", unknownImageInfo({ ...name, tag: "" })]]);

    for (const [filter, expected] of [
      ["semver:*", []],
      ["glob:*", []],
      ["semver:1.1", ["untagged image in available images"]],
      ["glob:1.1", ["untagged image in available images"]],
    ] as const) {
      it(`is not that one, as in Flux v1, with the filter ${filter}`, () => {
        const repositories = new ImageRepositories([[name, { ...known, images }]]);
        const world: World = { git: { [id]: { images: { main: "example.test/app:1.0" } } } };

        const findings = findUpdates(workloadsOf(world), () => ({ "tag.main": filter }), repositories);

        assert.deepEqual(
          findings.map(({ outcome }) => print(outcome)),
          expected,
        );
      });
    }
  });

  it("is that it cannot be told where a tag is known and not its image", () => {
    assert.deepEqual(found("example.test/app:1.0", {}, { ...days, broken: null }), [
      'inconsistent repository metadata: missing metadata for image tag "broken"',
    ]);
    assert.deepEqual(
      found("example.test/app:2.0", { "tag.main": "glob:2.*" }, { ...days, broken: null }),
      [],
    );
  });
});

describe("automated workloads", () => {
  it("are those that ask for it and are neither locked nor ignored, in git", () => {
    const images = { main: "example.test/app:1" };
    const resources = resourcesOf({
      "default:deployment/a": { images, policies: { automated: "true" } },
      "default:deployment/b": { images, policies: { automated: "true", locked: "true" } },
      "default:deployment/c": { images, policies: { automated: "true", ignore: "true" } },
      "default:deployment/d": { images },
      "default:configmap/e": null,
    });

    assert.deepEqual(
      automatedWorkloads(resources).map((resource) => resource.id),
      ["default:deployment/a"],
    );
  });
});
