import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import {
  decodeConfirmation,
  decodeConfirmed,
  decodePending,
  encodeConfirmation,
  encodeConfirmed,
  encodePending,
} from "../../../src/api/v12-confirmations.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

const [one, other] = [parseResourceId("shop:configmap/one"), parseResourceId("shop:configmap/other")];

function sent(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

describe("confirmations on the wire", () => {
  it("keep what waits", () => {
    const report = { revision: "abc", unconfirmed: [one], heldBack: [other], reason: "too many" };

    assert.deepEqual(decodePending(sent(encodePending(report))), report);
  });

  it("keep what is confirmed, and by whom", () => {
    const confirmation = { user: "Ann", resources: [one, other], pruneRevision: "" };

    assert.deepEqual(decodeConfirmation(sent(encodeConfirmation(confirmation))), confirmation);
  });

  it("keep the result", () => {
    const report = { revision: "abc", resources: [one], forgotten: "fluxd doesn't run in a pod" };

    assert.deepEqual(decodeConfirmed(sent(encodeConfirmed(report))), report);
  });

  it("confirm nothing that isn't named", () => {
    assert.deepEqual(decodeConfirmation({}), { user: "", resources: [], pruneRevision: "" });
    assert.throws(() => decodeConfirmation({ resources: "shop:configmap/one" }));
  });
});
