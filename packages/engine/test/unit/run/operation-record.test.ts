import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  hookApplied,
  hooksStarted,
  type OperationRecord,
  taskFailed,
} from "../../../src/run/operation-record.ts";
import { parseOperation, serializeOperation } from "../../../src/run/record-text.ts";
import { chooseOperation } from "../../../src/sync/operation.ts";

const begun: OperationRecord = { id: "o1", revision: "r1", generation: 2, startedAt: 1_000, tasks: {} };

function failTargets(record: OperationRecord, count: number): OperationRecord {
  return Array.from({ length: count }, (_, index) => `/ConfigMap/demo/c${index}`).reduce(
    (failed, id) => taskFailed(failed, id, { error: "x".repeat(1_000), isHook: false, at: 2_000 }),
    record,
  );
}

describe("a record as text", () => {
  it("is the same record after it was read", () => {
    const tasks = fc.dictionary(
      fc.string(),
      fc.record(
        {
          outcome: fc.constantFrom(
            "started" as const,
            "applied" as const,
            "settled" as const,
            "failed" as const,
          ),
          uid: fc.string(),
          error: fc.string(),
          at: fc.nat(),
        },
        { requiredKeys: ["outcome", "at"], noNullPrototype: true },
      ),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(tasks, fc.string({ minLength: 1 }), fc.integer(), (some, id, generation) => {
        const record = { ...begun, id, generation, tasks: some };

        assert.deepEqual(parseOperation(serializeOperation(record)), record);
      }),
    );
  });

  it("is no record if it is anything else, or of another version", () => {
    const text = serializeOperation(begun);
    const broken = [
      "",
      "{}",
      "[]",
      "null",
      text.slice(0, -1),
      text.replace('"version":1', '"version":2'),
      text.replace('"id":"o1"', '"id":""'),
      text.replace('"tasks":{}', '"tasks":{"a":{"outcome":"lost","at":1}}'),
      text.replace('"tasks":{}', '"tasks":[]'),
      text.replace("1000", '"1000"'),
    ];

    assert.deepEqual(
      broken.map(parseOperation),
      broken.map(() => undefined),
    );
    fc.assert(fc.property(fc.string(), (any) => parseOperation(any) === undefined));
  });

  it("stays small, however many targets fail, and says how many it doesn't name", () => {
    const record = failTargets(begun, 10_000);

    assert.ok(serializeOperation(record).length < 25_000);
    assert.equal(record.dropped, 10_000 - Object.keys(record.tasks).length);
  });

  it("names every hook, because none must run twice", () => {
    const failed = failTargets(begun, 10_000);

    const record = taskFailed(failed, "job@PreSync", { error: "no", isHook: true, at: 3_000 });

    assert.deepEqual(record.tasks["job@PreSync"], { outcome: "failed", error: "no", at: 3_000 });
  });
});

describe("chooseOperation", () => {
  for (const [asked, choice] of [
    [{ revision: "r1", generation: 2 }, "continue"],
    [{ revision: "r2", generation: 2 }, "begin"],
    [{ revision: "r1", generation: 3 }, "begin"],
    [{ revision: "r2", generation: 1 }, "refuse"],
  ] as const) {
    it(`has "${choice}" for ${JSON.stringify(asked)} during r1 of generation 2`, () => {
      assert.equal(chooseOperation(begun, asked), choice);
    });
  }

  it("begins where there is none", () => {
    assert.equal(chooseOperation(undefined, { revision: "r1", generation: 0 }), "begin");
  });
});

describe("hooksStarted", () => {
  it("keeps what is known of a hook that was started before", () => {
    const applied = hookApplied(begun, "job@PreSync", { uid: "u1", at: 2_000 });

    assert.equal(hooksStarted(applied, ["job@PreSync"], 3_000), applied);
  });
});
