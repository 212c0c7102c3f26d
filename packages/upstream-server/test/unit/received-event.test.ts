import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type EventDetail, encodeEvent, type FluxEvent, parseImageRef, parseResourceId } from "@weir/flux";
import { decodeReceivedEvent, EventError } from "../../src/received-event.ts";

const id = parseResourceId("ns:deployment/a");
const cause = { user: "me", message: "because" };
const image = {
  workloads: [id],
  image: "<all latest>",
  kind: "execute",
  excludes: null,
  force: false,
} as const;
const result = new Map([
  [
    id,
    {
      status: "success" as const,
      containers: [{ container: "c", current: parseImageRef("a:1"), target: parseImageRef("a:2") }],
    },
  ],
]);

const details: readonly EventDetail[] = [
  { type: "commit", revision: "abc", spec: { type: "image", cause, spec: image }, result },
  { type: "commit", revision: "abc", spec: { type: "sync", cause }, result: null },
  {
    type: "sync",
    commits: [{ revision: "abc", message: "first" }],
    includes: { release: true, other: true },
    errors: [{ id, source: "a.yaml", error: "broken" }],
    initialSync: true,
  },
  { type: "sync", commits: [], includes: {}, errors: [], initialSync: false },
  { type: "release", revision: "abc", spec: { type: "image", cause, spec: image }, result, error: "half" },
  {
    type: "release",
    revision: "abc",
    spec: {
      type: "containers",
      cause,
      spec: { kind: "execute", containers: new Map(), skipMismatches: true, force: false },
    },
    result,
  },
  {
    type: "autorelease",
    revision: "abc",
    spec: {
      type: "auto",
      cause: { user: "", message: "" },
      spec: [
        { workload: id, container: { name: "c", image: parseImageRef("a:1") }, image: parseImageRef("a:2") },
      ],
    },
    result,
  },
];

describe("an event from a daemon", () => {
  for (const detail of details) {
    it(`of type ${detail.type} reads as it was written`, () => {
      const event: FluxEvent = {
        workloads: [id],
        startedAt: new Date("2026-01-02T03:04:05.678Z"),
        endedAt: new Date("2026-01-02T03:04:06Z"),
        logLevel: "warn",
        detail,
      };

      const { id: number, type, message, metadata, ...read } = decodeReceivedEvent(encodeEvent(event));

      assert.deepEqual(read, event);
      assert.deepEqual([number, type, message], [0, detail.type, ""]);
      assert.deepEqual(metadata, encodeEvent(event)["metadata"]);
    });
  }

  const times = { startedAt: "2026-01-02T03:04:05.123456789Z", endedAt: "2026-01-02T03:04:05+01:00" };

  it("of old names revisions, and a release without its type", () => {
    const sync = decodeReceivedEvent({ ...times, type: "sync", metadata: { revisions: ["b", "a"] } });
    const spec = { ServiceSpecs: ["<all>"], ImageSpec: "<all latest>", Kind: "execute", Excludes: null };
    const release = decodeReceivedEvent({ ...times, type: "release", metadata: { Revision: "c", spec } });

    assert.deepEqual(sync.detail?.type === "sync" && sync.detail.commits, [
      { revision: "b", message: "" },
      { revision: "a", message: "" },
    ]);
    assert.deepEqual(release.detail?.type === "release" && release.detail.spec.spec, {
      ...image,
      workloads: ["<all>"],
    });
  });

  it("of a type that nobody knows keeps its payload", () => {
    const event = decodeReceivedEvent({ ...times, type: "lock", message: "Locked", metadata: { a: 1 } });

    assert.deepEqual(
      [event.type, event.message, event.detail, event.metadata],
      ["lock", "Locked", undefined, { a: 1 }],
    );
  });

  it("is refused without a type or a time", () => {
    assert.throws(() => decodeReceivedEvent({ ...times }), new EventError("Event type is empty"));
    assert.throws(() => decodeReceivedEvent({ type: "sync" }), EventError);
  });
});
