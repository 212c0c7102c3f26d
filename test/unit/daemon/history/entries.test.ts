import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toldResourceId } from "@weir/flux";
import { entryOfSync } from "../../../../src/daemon/history/entries.ts";
import { parseRing, printRing, recordOf } from "../../../../src/daemon/history/ring.ts";

function putBack(name: string, manager: string, at: string | undefined) {
  const id = toldResourceId(`demo:configmap/${name}`);
  const putBackFrom = { manager, at: at === undefined ? undefined : new Date(at) };
  return { id, what: "changed", putBackFrom } as const;
}

describe("the entry for a sync", () => {
  const done = { at: new Date(9), revision: "b", failed: 0 };

  it("says who changed what was put back, also after a restart", () => {
    const changes = [
      putBack("a", "helm", "2020-01-01T00:00:00Z"),
      putBack("b", "kubectl-edit", "2020-01-02T03:04:05Z"),
      putBack("c", "helm", "2019-01-01T00:00:00Z"),
      putBack("d", "unknown", undefined),
      putBack("e", "left-out", undefined),
    ];

    const record = recordOf({ ...done, kind: "drift", changes }, 0);
    const [stored] = parseRing(printRing([record])) ?? [];

    assert.deepEqual(stored, record);
    assert.equal(
      entryOfSync(record).message,
      "5 put back; changed by kubectl-edit at 2020-01-02 03:04:05 UTC, helm at 2020-01-01 00:00:00 UTC, unknown",
    );
  });

  it("says so only for what nobody changed in git", () => {
    const changes = [putBack("a", "helm", "2020-01-01T00:00:00Z")];

    assert.equal(entryOfSync(recordOf({ ...done, kind: "sync", changes }, 0)).message, "1 changed");
  });
});
