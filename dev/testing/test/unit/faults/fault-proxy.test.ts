import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { calm, type Fault, type WatchEnd } from "../../../src/faults/fault.ts";
import { until } from "../../../src/until.ts";
import { first, object, Stage, second, watch, whole } from "../../support/fault-stage.ts";

const refused = { kind: "refused", retryAfter: undefined, isPlain: false, isDone: false } as const;

/** What a client sees of each fault, and whether the server hears of the request. */
const faults: readonly { readonly fault: Fault; readonly sees: string; readonly isHeard: boolean }[] = [
  { fault: { ...refused, status: 429, retryAfter: 2 }, sees: "429 after 2, ends", isHeard: false },
  { fault: { ...refused, status: 503 }, sees: "503, ends", isHeard: false },
  { fault: { ...refused, status: 500, isDone: true }, sees: "500, ends", isHeard: true },
  { fault: { ...refused, status: 504, isDone: true }, sees: "504, ends", isHeard: true },
  { fault: { kind: "expired" }, sees: "410, ends", isHeard: false },
  { fault: { kind: "unsent" }, sees: "breaks", isHeard: false },
  { fault: { kind: "cut" }, sees: "breaks", isHeard: false },
  { fault: { kind: "lost", share: 0 }, sees: "breaks", isHeard: true },
  { fault: { kind: "lost", share: 0.5 }, sees: `200 ${whole.slice(0, 10)}, breaks`, isHeard: true },
  { fault: { kind: "late", ms: 5_000 }, sees: `200 ${whole}, ends`, isHeard: true },
  { fault: { kind: "trickled", pieces: 4, pauseMs: 1_000 }, sees: `200 ${whole}, ends`, isHeard: true },
];

const ends: readonly { readonly how: WatchEnd; readonly sees: string }[] = [
  { how: "broken", sees: `200 ${first}, breaks` },
  { how: "ended", sees: `200 ${first}, ends` },
  { how: "half line, broken", sees: `200 ${first}${half(second)}, breaks` },
  { how: "half line, ended", sees: `200 ${first}${half(second)}, ends` },
];

for (const protocol of ["http/1.1", "h2"] as const) {
  describe(`a client behind a fault proxy over ${protocol}`, () => {
    for (const { fault, sees, isHeard } of faults) {
      it(`sees of ${JSON.stringify(fault)}: ${sees}`, async () => {
        await using stage = await Stage.open({ protocol, fault });
        const client = stage.ask(object);

        assert.equal(await stage.passTime(client.over), sees);
        assert.equal(stage.heard.length, isHeard ? 1 : 0);
        assert.equal(stage.proxy.happened.length, 1);
      });
    }

    for (const { how, sees } of ends) {
      it(`sees of a watch that ends as "${how}": ${sees}`, async () => {
        await using stage = await Stage.open({ protocol, watch: { ...calm, end: { afterLines: 1, how } } });

        assert.equal(await stage.ask(watch).over, sees);
      });
    }

    for (const [how, code] of [
      ["expired", 410],
      ["failed", 500],
    ] as const) {
      it(`sees an error at the end of a watch that has ${how}`, async () => {
        await using stage = await Stage.open({ protocol, watch: { ...calm, end: { afterLines: 1, how } } });

        assert.match(await stage.ask(watch).over, new RegExp(`"type":"ERROR".*"code":${code}\\}\\}, ends$`));
      });
    }

    for (const isHeard of [true, false]) {
      it(`sees nothing until the faults are over: ${isHeard ? "" : "not "}heard`, async () => {
        await using stage = await Stage.open({ protocol, fault: { kind: "silent", isHeard } });
        const client = stage.ask(object);
        await until("the fault", () => stage.proxy.happened.length === 1);
        await until("the server", () => !isHeard || stage.heard.length === 1);
        await stage.clock.advance(3_600_000);
        assert.equal(client.seen, "");
        assert.equal(stage.heard.length, isHeard ? 1 : 0);

        stage.proxy.heal();

        assert.equal(await client.over, `200 ${whole}, ends`);
        assert.equal(stage.heard.length, 1);
      });
    }

    it("sees no more events of a silent watch until the faults are over", async () => {
      await using stage = await Stage.open({
        protocol,
        watch: { ...calm, end: { afterLines: 1, how: "silent" } },
      });
      const client = stage.ask(watch);
      await until("the silence", () => stage.proxy.happened.length === 1);
      await stage.clock.advance(3_600_000);
      assert.equal(client.seen, `200 ${first}`);

      stage.proxy.heal();

      await until("the next event", () => client.seen === `200 ${first}${second}`);
    });

    it("sees events late that are held back, in their order", async () => {
      await using stage = await Stage.open({
        protocol,
        watch: { ...calm, isHeld: true, holdMs: () => 4_000 },
      });
      const client = stage.ask(watch);
      await stage.clock.sleeping(4_000);
      await until("the head", () => client.seen === "200 ");
      await stage.clock.advance(4_000);
      await until("the first event", () => client.seen === `200 ${first}`);
      await stage.clock.sleeping(4_000);
      await stage.clock.advance(4_000);
      await until("the second event", () => client.seen === `200 ${first}${second}`);
    });

    it("loses its other connections too if they are cut", async () => {
      await using stage = await Stage.open({ protocol, fault: { kind: "cut" } });
      const watching = stage.ask(watch);
      await until("the events", () => watching.seen === `200 ${first}${second}`);

      await stage.ask(object).over;

      assert.equal(await watching.over, `200 ${first}${second}, breaks`);
    });
  });
}

function half(line: string): string {
  return line.slice(0, Math.ceil((line.length + 1) / 2));
}
