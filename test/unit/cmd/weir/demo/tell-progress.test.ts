import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ResourceId, toldResourceId } from "@weir/flux";
import {
  noProgress,
  type ProgressMemory,
  tellProgress,
} from "../../../../../cmd/weir/demo/narration/tell-progress.ts";

const hook = toldResourceId("shop:job/migrate");
const web = toldResourceId("shop:deployment/web");

/** What is told in looks at a sync. */
function told(
  ...looks: readonly { isRunning: boolean; waitingFor: readonly ResourceId[] }[]
): readonly string[] {
  const texts: string[] = [];
  let memory: ProgressMemory = noProgress;
  for (const look of looks) {
    const telling = tellProgress(look, memory);
    texts.push(...telling.told.map(({ text }) => text));
    memory = telling.memory;
  }
  return texts;
}

describe("what the demo tells of a sync that runs", () => {
  const running = { isRunning: true, waitingFor: [] };
  const idle = { isRunning: false, waitingFor: [] };

  it("is nothing if it's over soon", () => {
    assert.deepEqual(told(running, running, idle, running, running, idle, running), []);
  });

  it("is that it has begun, once, if it takes long", () => {
    assert.deepEqual(told(...Array.from({ length: 20 }, () => running)), [
      "fluxd has begun to sync, and is at it",
    ]);
  });

  it("is what it waits for, whenever that's something else", () => {
    const at = (...waitingFor: readonly ResourceId[]) => ({ isRunning: false, waitingFor });

    assert.deepEqual(told(at(hook), at(hook), at(web, hook), idle, at(hook)), [
      "the sync waits for shop:job/migrate",
      "the sync waits for shop:deployment/web, shop:job/migrate",
      "the sync waits for shop:job/migrate",
    ]);
  });
});
