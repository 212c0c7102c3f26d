import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callAll, Listeners } from "../../src/listeners.ts";

describe("Listeners", () => {
  it("are told in the order in which they came, each as often as it was added", () => {
    const listeners = new Listeners<string>();
    listeners.add("a");
    const leave = listeners.add("b");
    listeners.add("a");
    assert.deepEqual([...listeners], ["a", "b", "a"]);

    leave();
    leave();

    assert.deepEqual([...listeners], ["a", "a"]);
  });

  it("may leave and come while others are told: who left is left out, who came is told next time", () => {
    const listeners = new Listeners<() => void>();
    const told: string[] = [];
    listeners.add(() => {
      told.push("first");
      leave();
      listeners.add(() => told.push("new"));
    });
    const leave = listeners.add(() => told.push("left"));
    listeners.add(() => told.push("last"));

    callAll(listeners);

    assert.deepEqual(told, ["first", "last"]);
  });
});
