import assert from "node:assert/strict";
import { it } from "node:test";
import { parseResourceId } from "@weir/flux";
import type { LoggedEvent } from "@weir/flux/api";
import { dedent } from "@weir/testing";
import { printEvents } from "../../../../../cmd/fluxctl/output/events.ts";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";

const at = new Date(2026, 2, 1, 13, 0, 5);
/** The reader's, e.g. "+0100". */
const zone = /GMT([+-]\d{4})/.exec(at.toString())?.[1] ?? "";
const sync: LoggedEvent = {
  id: 1,
  type: "sync",
  workloads: [parseResourceId("shop:deployment/web"), parseResourceId("shop:service/web")],
  startedAt: at,
  endedAt: at,
  logLevel: "info",
  message: "Sync: 0123456, shop:deployment/web, shop:service/web",
  metadata: null,
};
const failure: LoggedEvent = {
  ...sync,
  id: 2,
  type: "failure",
  workloads: [],
  logLevel: "error",
  message: "sync failed:\n  no such file",
};

it("tells a line an event, at the reader's time", () => {
  assert.equal(
    printEvents([sync, failure], { headers: true, wide: false, paint: plain }),
    dedent(`
      TIME                       TYPE         MESSAGE
      2026-03-01 13:00:05 ${zone}  sync         Sync: 0123456, shop:deployment/web, shop:service/web
      2026-03-01 13:00:05 ${zone}  failure      sync failed: no such file
    `),
  );
});

it("tells how bad it is, and how many resources it is about, where it may be wide", () => {
  assert.equal(
    printEvents([failure], { headers: true, wide: true, paint: plain }),
    dedent(`
      TIME                       TYPE         LEVEL  RESOURCES  MESSAGE
      2026-03-01 13:00:05 ${zone}  failure      error  0          sync failed: no such file
    `),
  );
});
