import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { FluxError } from "@weir/flux";
import { FatalError, RemoteError, unavailableError } from "@weir/upstream-server";
import { type ConsoleMessage, decodeMessage, encodeMessage } from "../../../src/daemons/remote-call.ts";

describe("a message from console to console", () => {
  const messages: readonly ConsoleMessage[] = [
    {
      ...{ kind: "call", id: "1", from: "console-1", instanceId: "i", leaseId: "l" },
      ...{ method: "ListServices", argument: { a: [null, "é"] }, timeout: 20_000 },
    },
    { kind: "working", id: "1" },
    { kind: "cancel", id: "1" },
    { kind: "close", leaseId: "l" },
    { kind: "answer", id: "1", outcome: { result: { Result: ["a"], ApplicationError: null } } },
    { kind: "answer", id: "1", outcome: { result: null } },
    { kind: "answer", id: "1", outcome: { error: new FluxError("missing", "gone", "Help.\n") } },
    { kind: "answer", id: "1", outcome: { error: new RemoteError("no cluster") } },
    { kind: "answer", id: "1", outcome: { error: new FatalError("unexpected EOF") } },
    { kind: "answer", id: "1", outcome: { error: unavailableError(new Error("not connected")) } },
  ];
  for (const message of messages) {
    it(`is read as it was sent: ${JSON.stringify(encodeMessage(message)).slice(0, 80)}`, () => {
      const sent = JSON.parse(JSON.stringify(encodeMessage(message))) as JsonValue;

      assert.deepEqual(decodeMessage(sent), message);
    });
  }

  it("of a kind that isn't known yet is nothing", () => {
    assert.equal(decodeMessage({ kind: "new" }), undefined);
  });
});
