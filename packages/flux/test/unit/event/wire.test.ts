import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stringifyGoJson } from "@weir/base";
import type { EventDetail } from "../../../src/event/event.ts";
import { encodeEvent } from "../../../src/event/wire.ts";
import { parseResourceId } from "../../../src/resource/id.ts";
import type { ReleaseContainersSpec, ReleaseImageSpec } from "../../../src/update/spec.ts";

const app = parseResourceId("demo:deployment/app");
const cause = { message: "m", user: "u" };
const result = new Map([[app, { status: "success", containers: null }]] as const);
const resultText = '{"demo:deployment/app":{"Status":"success","PerContainer":null}}';

function write(detail: EventDetail): string {
  const startedAt = new Date("2026-11-21T07:05:09.120Z");
  const endedAt = new Date("2026-11-21T07:05:10Z");
  const event = encodeEvent({ workloads: [app], startedAt, endedAt, logLevel: "info", detail });
  return stringifyGoJson(event, { sortKeys: false });
}

function envelope(type: string, metadata: string): string {
  return (
    `{"id":0,"serviceIDs":["demo:deployment/app"],"type":"${type}","startedAt":"2026-11-21T07:05:09.12Z",` +
    `"endedAt":"2026-11-21T07:05:10Z","logLevel":"info","metadata":${metadata}}`
  );
}

describe("an event as JSON", () => {
  it("tells of a commit", () => {
    assert.equal(
      write({ type: "commit", revision: "abc", spec: { type: "sync", cause }, result }),
      envelope(
        "commit",
        `{"revision":"abc","spec":{"type":"sync","cause":{"Message":"m","User":"u"},"spec":{}},"result":${resultText}}`,
      ),
    );
    assert.equal(
      write({ type: "commit", revision: "", spec: null, result: new Map() }),
      envelope("commit", '{"spec":null}'),
    );
  });

  it("tells of a sync", () => {
    const errors = [{ id: app, source: "a.yaml", error: "no" }];
    const commits = [{ revision: "abc", message: "first" }];
    const includes = { release: true, other: true };

    assert.equal(
      write({ type: "sync", commits, includes, errors, initialSync: true }),
      envelope(
        "sync",
        '{"commits":[{"revision":"abc","message":"first"}],"includes":{"other":true,"release":true},' +
          '"errors":[{"ID":"demo:deployment/app","Path":"a.yaml","Error":"no"}],"initialSync":true}',
      ),
    );
    assert.equal(
      write({ type: "sync", commits: [], includes: {}, errors: [], initialSync: false }),
      envelope("sync", "{}"),
    );
  });

  it("tells of a release of an image", () => {
    const spec: ReleaseImageSpec = {
      workloads: ["<all>"],
      image: "a:1",
      kind: "execute",
      excludes: null,
      force: false,
    };

    assert.equal(
      write({
        type: "release",
        revision: "abc",
        spec: { type: "image", cause, spec },
        result,
        error: "failed",
      }),
      envelope(
        "release",
        `{"Revision":"abc","result":${resultText},"error":"failed","spec":{"Type":"releaseImageSpecType",` +
          '"ReleaseImageSpec":{"ServiceSpecs":["\\u003call\\u003e"],"ImageSpec":"a:1","Kind":"execute","Excludes":null,' +
          '"Force":false},"ReleaseContainersSpec":null},"cause":{"Message":"m","User":"u"}}',
      ),
    );
  });

  it("tells of a release of containers", () => {
    const spec: ReleaseContainersSpec = {
      kind: "execute",
      containers: new Map(),
      skipMismatches: false,
      force: true,
    };

    assert.equal(
      write({ type: "release", revision: "abc", spec: { type: "containers", cause, spec }, result }),
      envelope(
        "release",
        `{"Revision":"abc","result":${resultText},"spec":{"Type":"releaseContainersSpecType","ReleaseImageSpec":null,` +
          '"ReleaseContainersSpec":{"Kind":"execute","ContainerSpecs":{},"SkipMismatches":false,"Force":true}},' +
          '"cause":{"Message":"m","User":"u"}}',
      ),
    );
  });

  it("tells of an automated release", () => {
    assert.equal(
      write({ type: "autorelease", revision: "abc", spec: { type: "auto", cause, spec: [] }, result }),
      envelope("autorelease", `{"Revision":"abc","result":${resultText},"spec":{"Changes":null}}`),
    );
  });
});
