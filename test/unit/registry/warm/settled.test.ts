import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { timestampOf } from "@weir/flux";
import { emptyRecord, type RepositoryRecord } from "../../../../src/registry/cache/records.ts";
import { Settled } from "../../../../src/registry/warm/settled.ts";

const minute = 60_000;
const tags = ["1", "2"];
const record = writtenAt(0);

function writtenAt(ms: number): RepositoryRecord {
  return { ...emptyRecord, tags, lastUpdate: timestampOf(new Date(ms)) };
}

function settledUntil(dueAt: number): Settled {
  const settled = new Settled();
  settled.begin(dueAt, 0);
  settled.wrote(record);
  return settled;
}

describe("a repository whose images are all known", () => {
  it("stays so until one is due, but for ten minutes at most", () => {
    const [soon, late] = [settledUntil(5 * minute), settledUntil(60 * minute)];

    assert.deepEqual([soon.holds(tags, record, minute), soon.holds(tags, record, 5 * minute)], [true, false]);
    assert.deepEqual(
      [late.holds(tags, record, 9 * minute), late.holds(tags, record, 10 * minute)],
      [true, false],
    );
  });

  it("is so no more where tags come, go or change their order, the record is another, or something is due", () => {
    const settled = settledUntil(60 * minute);

    for (const other of [["1"], ["1", "2", "3"], ["2", "1"], []]) {
      assert.equal(settled.holds(other, record, minute), false, other.join());
    }
    assert.equal(settled.holds(tags, writtenAt(1), minute), false);
    assert.equal(settled.holds([], emptyRecord, minute), false);
    settled.end();
    assert.equal(settled.holds(tags, record, minute), false);
  });

  it("is not so before it was looked at", () => {
    assert.equal(new Settled().holds(tags, record, 0), false);
  });
});
