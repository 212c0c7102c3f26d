import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EventDetail } from "../../../src/event/event.ts";
import { printEvent } from "../../../src/event/message.ts";
import { parseImageRef } from "../../../src/image/ref.ts";
import { parseResourceId } from "../../../src/resource/id.ts";
import type { UpdateResult } from "../../../src/update/result.ts";
import type { ReleaseImageSpec } from "../../../src/update/spec.ts";

const app = parseResourceId("demo:deployment/app");
const web = parseResourceId("demo:deployment/web");
const image = parseImageRef("quay.io/org/app:2");
const spec: ReleaseImageSpec = {
  workloads: [app],
  image: "quay.io/org/app:2",
  kind: "execute",
  excludes: null,
  force: false,
};
const cause = { message: "", user: "" };
const result: UpdateResult = new Map([
  [app, { status: "success", containers: [{ container: "c", current: undefined, target: image }] }],
  [
    web,
    {
      status: "success",
      containers: [
        { container: "c", current: undefined, target: image },
        { container: "d", current: undefined, target: parseImageRef("alpine@sha256:abc") },
      ],
    },
  ],
  [
    parseResourceId("demo:deployment/failed"),
    {
      status: "failed",
      containers: [{ container: "c", current: undefined, target: parseImageRef("never:1") }],
    },
  ],
]);

function print(detail: EventDetail, ...workloads: (typeof app)[]): string {
  const at = new Date(0);
  return printEvent({ workloads, startedAt: at, endedAt: at, logLevel: "info", detail });
}

function sync(revisions: readonly string[], ...workloads: (typeof app)[]): string {
  const commits = revisions.map((revision) => ({ revision, message: "m" }));
  return print({ type: "sync", commits, includes: {}, errors: [], initialSync: false }, ...workloads);
}

describe("printEvent", () => {
  it("tells of a commit, with its workloads sorted", () => {
    const detail = { type: "commit", revision: "0123456789", spec: null, result: null } as const;

    assert.equal(print(detail, web, app), "Commit: 0123456, demo:deployment/app, demo:deployment/web");
    assert.equal(print({ ...detail, revision: "01" }), "Commit: 01, <no changes>");
  });

  it("tells of a sync by its newest commit, or by the range of more than two", () => {
    assert.equal(sync(["1111111a"], web, app), "Sync: 1111111, demo:deployment/app, demo:deployment/web");
    assert.equal(sync(["1111111a", "2222222b"]), "Sync: 1111111, no workloads changed");
    assert.equal(sync(["1111111a", "2222222b", "3333333c"]), "Sync: 3333333..1111111, no workloads changed");
    assert.equal(sync([]), "Sync: <no revision>, no workloads changed");
  });

  it("tells of a release with the images that it brought, each once", () => {
    const detail = { type: "release", revision: "1", spec: { type: "image", cause, spec }, result } as const;

    assert.equal(
      print(detail, web, app),
      "Released: alpine@sha256:abc, quay.io/org/app:2 to demo:deployment/app, demo:deployment/web",
    );
    assert.equal(print({ ...detail, result: new Map() }), "Released: no image changes to no workloads");
  });

  it("tells who released, and what they said", () => {
    const said = { message: 'a "good" day', user: "Ann" };
    const all = { type: "image", cause: said, spec: { ...spec, workloads: ["<all>"] } } as const;

    assert.equal(
      print({ type: "release", revision: "1", spec: all, result: new Map() }, app),
      'Released: no image changes to all workloads, by Ann, with message "a \\"good\\" day"',
    );
  });

  it("tells of an automated release by its images alone", () => {
    const detail = { type: "autorelease", revision: "1", spec: { type: "auto", cause, spec: [] } } as const;

    assert.equal(
      print({ ...detail, result }, app),
      "Automated release of alpine@sha256:abc, quay.io/org/app:2",
    );
    assert.equal(print({ ...detail, result: new Map() }), "Automated release of no image changes");
  });
});
