import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonShapeError } from "@weir/base";
import type { LoggedEvent } from "../../../src/api/inspection.ts";
import { decodeLoggedEvents, encodeLoggedEvents } from "../../../src/api/v12-events.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

const event: LoggedEvent = {
  id: 7,
  type: "sync",
  workloads: [parseResourceId("shop:deployment/web")],
  startedAt: new Date(0),
  endedAt: new Date(1_500),
  logLevel: "info",
  message: "Sync: 0123456, shop:deployment/web",
  metadata: { commits: [{ revision: "0123456", message: "one" }] },
};

describe("events on the wire", () => {
  it("are as upstreams get them, with the message", () => {
    assert.deepEqual(encodeLoggedEvents([event]), [
      {
        id: 7,
        serviceIDs: ["shop:deployment/web"],
        type: "sync",
        startedAt: "1970-01-01T00:00:00Z",
        endedAt: "1970-01-01T00:00:01.5Z",
        logLevel: "info",
        message: "Sync: 0123456, shop:deployment/web",
        metadata: { commits: [{ revision: "0123456", message: "one" }] },
      },
    ]);
  });

  it("are read as they were written", () => {
    assert.deepEqual(decodeLoggedEvents(encodeLoggedEvents([event])), [event]);
  });

  it("that are none are refused", () => {
    assert.throws(() => decodeLoggedEvents({ events: [] }), JsonShapeError);
    assert.throws(() => decodeLoggedEvents([{ id: "x" }]), JsonShapeError);
  });
});
