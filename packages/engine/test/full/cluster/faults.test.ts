import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type BorrowedControlPlane, borrowControlPlane, missing } from "@weir/testing";
import { FaultCrew } from "../../support/faults/fault-crew.ts";
import type { FaultReport } from "../../support/faults/fault-worker.ts";

/** `npm run test:faults` tries 1,000 seeds; WEIR_FAULT_SEEDS=17 tries one. */
const [first = 1, last = first] = (process.env["WEIR_FAULT_SEEDS"] ?? "1-250").split("-").map(Number);
/** How many runs a test reports on. */
const share = 100;
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** What a fault proxy does to requests and events. */
const faults = [
  ...["429", "500", "500, done", "503", "504", "504, done"],
  ...["expired", "unsent", "lost", "silent", "silent, heard", "late", "trickled", "cut"],
  ...[
    "repeated",
    "held",
    "watch: half line, broken",
    "watch: half line, ended",
    "watch: broken",
    "watch: ended",
  ],
  ...["watch: expired", "watch: failed", "watch: silent"],
];

describe("an engine between faults", { skip: missing() }, () => {
  let plane: BorrowedControlPlane;
  let crew: FaultCrew;

  before(async () => {
    plane = await borrowControlPlane();
    crew = new FaultCrew({ url: plane.url, token: plane.token, seeds });
  });

  after(async () => {
    await crew[Symbol.asyncDispose]();
    await plane.stop();
  });

  for (let at = 0; at < seeds.length; at += share) {
    const some = seeds.slice(at, at + share);
    it(`reaches the right state, and touches nothing else: seeds ${some[0]} to ${some.at(-1)}`, async () => {
      const reports = await crew.reportsOf(some);

      const wrong = reports.filter(({ complaints }) => complaints.length > 0);
      assert.equal(wrong.map(printed).join("\n"), "");
    });
  }

  it("has met each of them", { skip: seeds.length < share && "too few runs" }, async () => {
    await crew.reportsOf(seeds);

    const met = new Set([...crew.reports].flatMap(({ happened }) => happened.map(({ fault }) => fault)));
    assert.deepEqual([...met].sort(), faults.toSorted());
  });
});

function printed({ seed, complaints, syncs, happened }: FaultReport): string {
  return [
    `seed ${seed}: ${complaints.join("; ")}`,
    ...syncs.map((sync) => `  sync of ${sync}`),
    ...happened.map(({ call, number, fault }) => `  ${call} #${number}: ${fault}`),
  ].join("\n");
}
