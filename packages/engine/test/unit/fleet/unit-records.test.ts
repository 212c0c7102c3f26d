import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { FakeClock, settled } from "@weir/testing";
import { OutsideCalls } from "../../../src/fleet/outside-calls.ts";
import { UnitRecords } from "../../../src/fleet/unit-records.ts";
import type { OperationRecord, OperationState, SyncUnitStatus } from "../../../src/index.ts";
import { Units } from "../../support/fleet-rig.ts";

const { signal } = new AbortController();
const record: OperationRecord = { id: "1", revision: "r1", generation: 2, startedAt: 0, tasks: {} };
const running: OperationState = {
  phase: "Running",
  message: "",
  generation: 2,
  cluster: "here",
  startedAt: 0,
};

describe("UnitRecords", () => {
  let units: Units;
  let clock: FakeClock;
  let records: UnitRecords;

  beforeEach(() => {
    units = new Units();
    units.add("shop", []);
    clock = new FakeClock();
    const store = {
      list: () => units.list(),
      get: (id: string) => units.get(id),
      async setStatus(id: string, status: SyncUnitStatus) {
        await clock.sleep(100);
        await units.setStatus(id, status);
      },
    };
    records = new UnitRecords({ store, calls: new OutsideCalls(clock), limitMs: 1_000 });
  });

  it("make each change from what the one before has stored", async () => {
    const changes = [
      records.change("shop", (status) => ({ ...status, sync: "Synced" }), signal),
      records.changeOperation("shop", () => running, signal),
      records.change("shop", (status) => ({ ...status, health: "Healthy" }), signal),
    ];
    await clock.advance(300);
    await Promise.all(changes);

    const { sync, health, operation } = units.statusOf("shop") ?? {};
    assert.deepEqual({ sync, health, operation }, { sync: "Synced", health: "Healthy", operation: running });
  });

  it("let a change go on after one that failed or was aborted", async () => {
    const abort = new AbortController();
    const failed = assert.rejects(
      records.change(
        "shop",
        () => {
          throw new Error("no");
        },
        signal,
      ),
    );
    const aborted = assert.rejects(records.change("shop", (status) => status, abort.signal));
    abort.abort();
    await Promise.all([failed, aborted]);

    const last = records.change("shop", (status) => ({ ...status, sync: "Synced" }), signal);
    await clock.advance(100);
    await last;

    assert.equal(units.statusOf("shop")?.sync, "Synced");
  });

  it("change nothing of a unit that is gone", async () => {
    await records.change("bar", (status) => ({ ...status, sync: "Synced" }), signal);
    await settled();

    assert.equal(units.unit("bar"), undefined);
  });

  describe("as a store of operations", () => {
    beforeEach(async () => {
      await units.setStatus("shop", {
        sync: "Unknown",
        health: "Unknown",
        revision: "",
        message: "",
        operation: running,
      });
    });

    async function save(next: OperationRecord | undefined): Promise<void> {
      const saved = records.operationsIn("here").save("shop", next, signal);
      const settling = saved.catch(() => undefined);
      await clock.advance(100);
      await settling;
      await saved;
    }

    it("keep the record of a unit in its status", async () => {
      await save(record);
      assert.deepEqual(units.statusOf("shop")?.operation, { ...running, record });
      assert.deepEqual(await records.operationsIn("here").load("shop", signal), record);

      await save(undefined);

      assert.equal(await records.operationsIn("here").load("shop", signal), undefined);
    });

    it("give no record of another cluster, whose hooks have not run here", async () => {
      await save(record);

      assert.equal(await records.operationsIn("there").load("shop", signal), undefined);
    });

    it("refuse the record of a cluster in which the unit no longer is", async () => {
      const saved = records.operationsIn("there").save("shop", record, signal);

      await assert.rejects(saved, { name: "OperationConflictError" });
    });

    it("refuse the record of an operation that was replaced", async () => {
      await assert.rejects(save({ ...record, generation: 1 }), { name: "OperationConflictError" });
    });
  });
});
