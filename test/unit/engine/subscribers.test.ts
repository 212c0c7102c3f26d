import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Subscribers } from "../../../src/engine/subscribers.ts";

describe("Subscribers", () => {
  it("are told in the order in which they came, each as often as it subscribed", () => {
    const subscribers = new Subscribers<string>();
    subscribers.add("a");
    const leave = subscribers.add("b");
    subscribers.add("a");
    assert.deepEqual([...subscribers], ["a", "b", "a"]);

    leave();
    leave();

    assert.deepEqual([...subscribers], ["a", "a"]);
  });
});
