import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toldResourceId } from "@weir/flux";
import { fc } from "@weir/testing/property";
import {
  mergeRecords,
  parseRing,
  printRing,
  recordOf,
  ringLimits,
  type SyncRecord,
} from "../../../../src/daemon/history/ring.ts";

const changed = (name: string) =>
  ({ id: toldResourceId(`default:configmap/${name}`), what: "changed" }) as const;

function records(count: number, name: string): readonly SyncRecord[] {
  return Array.from({ length: count }, (_, index) =>
    recordOf(
      { kind: "sync", at: new Date(count - index), revision: "r", changes: [changed(name)], failed: 0 },
      0,
    ),
  );
}

describe("the stored syncs", () => {
  it("are read as they were written", () => {
    const written = [
      recordOf({ kind: "drift", at: new Date(9), revision: "b", changes: [changed("ü")], failed: 0 }, 8),
      recordOf(
        { kind: "sync", at: new Date(5), revision: "a", changes: [changed("x"), changed("y")], failed: 3 },
        0,
      ),
    ];

    assert.deepEqual(parseRing(printRing(written)), written);
  });

  it("fit into the limit, and keep the newest", () => {
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.string({ maxLength: 80, unit: "binary" }),
        fc.nat(4000),
        (count, name, most) => {
          const all = records(count, name);

          const text = printRing(all, most);

          const kept = parseRing(text) ?? [];
          assert.ok(kept.length === 0 || Buffer.byteLength(text) <= most);
          assert.deepEqual(kept, all.slice(0, kept.length));
          assert.ok(
            kept.length === all.length ||
              Buffer.byteLength(printRing(all.slice(0, kept.length + 1))) > most - 2,
          );
        },
      ),
    );
  });

  it("name some resources of a large sync, and count all", () => {
    const changes = Array.from({ length: 3000 }, (_, index) => changed(`c${index}`));

    const record = recordOf({ kind: "sync", at: new Date(1), revision: "r", changes, failed: 1 }, 7);

    assert.deepEqual(
      [record.sequence, record.changed, record.resources.length],
      [8, 3000, ringLimits.resources],
    );
  });

  it("are merged in their order, each once", () => {
    const all = records(6, "x");

    assert.deepEqual(mergeRecords(all.slice(0, 4), all.slice(2)), all);
  });

  it("are nothing if the text is somebody else's", () => {
    assert.deepEqual(
      [parseRing("[]"), parseRing("{"), parseRing('{"syncs":[1]}'), parseRing("{}")],
      [undefined, undefined, undefined, undefined],
    );
  });
});
