import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { decodeReceivedEvent, type ReceivedEvent } from "@weir/upstream-server";
import { newEvent, syncedBy } from "../../../src/daemons/events.ts";

const at = "2026-01-02T03:04:05Z";

describe("an event of a daemon", () => {
  for (const [what, event, severity, message, revision] of [
    [
      "a sync",
      received("sync", { commits: [{ revision: "c2c2c2c2", message: "m" }] }),
      ...["info", "Sync: c2c2c2c, shop:deployment/web", "c2c2c2c2"],
    ],
    [
      "a sync with errors",
      received("sync", { commits: [], errors: [{ ID: "shop:deployment/web", Path: "a.yaml", Error: "no" }] }),
      ...["error", "Sync: <no revision>, shop:deployment/web", ""],
    ],
    ["a commit", received("commit", { revision: "c3" }), "info", "Commit: c3, shop:deployment/web", "c3"],
    ["what's unknown", received("novelty", { x: 1 }), "info", "novelty", ""],
    [
      "a warning with a message",
      received("lock", null, { logLevel: "warn", message: "hm" }),
      "warning",
      "hm",
      "",
    ],
  ] as const) {
    it(`tells of ${what}`, () => {
      const stored = newEvent("i", event);

      assert.deepEqual([stored.severity, stored.message, stored.revision], [severity, message, revision]);
      assert.deepEqual([stored.namespaces, stored.workloadIds], [["shop"], ["shop:deployment/web"]]);
    });
  }

  it("has the same fingerprint when it's posted again, and another one otherwise", () => {
    const fingerprint = (event: ReceivedEvent): string => newEvent("i", event).fingerprint;
    const sync = received("sync", { commits: [{ revision: "c2", message: "m" }] });

    assert.equal(
      fingerprint(sync),
      fingerprint(received("sync", { commits: [{ message: "m", revision: "c2" }] })),
    );
    assert.notEqual(fingerprint(sync), fingerprint(received("sync", { commits: [] })));
    assert.notEqual(fingerprint(received("lock")), fingerprint(received("unlock")));
  });

  it("says when an instance was synced, and to what", () => {
    const sync = received("sync", { commits: [{ revision: "c2", message: "m" }] });

    assert.deepEqual(syncedBy("i", sync), { instanceId: "i", at: new Date(at), revision: "c2" });
    assert.deepEqual(syncedBy("i", received("sync", {})), {
      instanceId: "i",
      at: new Date(at),
      revision: "",
    });
    assert.equal(syncedBy("i", received("commit", {})), undefined);
  });
});

function received(
  type: string,
  metadata: JsonValue = null,
  more: Readonly<Record<string, JsonValue>> = {},
): ReceivedEvent {
  const serviceIDs = ["shop:deployment/web"];
  return decodeReceivedEvent({ type, startedAt: at, endedAt: at, serviceIDs, metadata, ...more });
}
