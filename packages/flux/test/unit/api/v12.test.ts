import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonShapeError, type JsonValue } from "@weir/base";
import type { DiffReport, LoggedEvent, TreeReport } from "../../../src/api/inspection.ts";
import { decodeFindings, encodeFindings } from "../../../src/api/v12-check.ts";
import {
  decodeConfirmation,
  decodeConfirmed,
  decodePending,
  encodeConfirmation,
  encodeConfirmed,
  encodePending,
} from "../../../src/api/v12-confirmations.ts";
import { decodeDiff, encodeDiff } from "../../../src/api/v12-diff.ts";
import { decodeLoggedEvents, encodeLoggedEvents } from "../../../src/api/v12-events.ts";
import { decodeTree, encodeTree } from "../../../src/api/v12-tree.ts";
import type { ResourceStatus } from "../../../src/cluster/tree.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

const web = parseResourceId("shop:deployment/web");
const settings = parseResourceId("shop:configmap/settings");
const revision = "0123456789";

const pod: ResourceStatus = {
  id: parseResourceId("shop:pod/web-1"),
  apiVersion: "v1",
  source: "",
  sync: "",
  health: "Degraded",
  message: "image cannot be pulled",
  children: [],
};
const tree: TreeReport = {
  revision,
  resources: [{ ...pod, id: web, source: "web.yaml", sync: "OutOfSync", children: [pod] }],
};
const created = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } };
const diff: DiffReport = {
  revision,
  changes: [
    {
      id: settings,
      apiVersion: "v1",
      source: "settings.yaml",
      action: "create",
      before: null,
      after: created,
      error: "",
      reason: "",
    },
    {
      id: web,
      apiVersion: "",
      source: "",
      action: "leave",
      before: null,
      after: null,
      error: "",
      reason: "git no longer has it",
    },
  ],
};
const event: LoggedEvent = {
  id: 7,
  type: "sync",
  workloads: [web],
  startedAt: new Date(0),
  endedAt: new Date(1_500),
  logLevel: "info",
  message: "Sync: 0123456",
  metadata: { commits: [{ revision: "0123456" }] },
};
const findings = (["passed", "warning", "failed"] as const).map((verdict) => {
  return { subject: "git read", verdict, found: "it is there", advice: "nothing" };
});
const pending = { revision, unconfirmed: [web], heldBack: [settings], reason: "too many" };
const confirmation = { user: "Ann", resources: [web, settings], pruneRevision: "" };
const confirmed = { revision, resources: [web], forgotten: "fluxd doesn't run in a pod" };

describe("what Weir's own part of the API says", () => {
  for (const [what, json, decode, value] of [
    ["a tree", encodeTree(tree), decodeTree, tree],
    ["a diff", encodeDiff(diff), decodeDiff, diff],
    ["events", encodeLoggedEvents([event]), decodeLoggedEvents, [event]],
    ["findings", encodeFindings(findings), decodeFindings, findings],
    ["deletions that wait", encodePending(pending), decodePending, pending],
    ["a confirmation", encodeConfirmation(confirmation), decodeConfirmation, confirmation],
    ["what was confirmed", encodeConfirmed(confirmed), decodeConfirmed, confirmed],
  ] as const) {
    it(`is read as it was written: ${what}`, () => {
      assert.deepEqual(decode(JSON.parse(JSON.stringify(json)) as JsonValue), value);
    });
  }

  it("has events as upstreams get them, with the message", () => {
    const { workloads, ...rest } = event;

    assert.deepEqual(encodeLoggedEvents([event]), [
      {
        ...rest,
        serviceIDs: workloads,
        startedAt: "1970-01-01T00:00:00Z",
        endedAt: "1970-01-01T00:00:01.5Z",
      },
    ]);
  });

  it("is read though a later daemon uses words that aren't known, and names that no API server takes", () => {
    const odd = { revision, changes: [{ id: "shop:configmap/Odd name!", action: "rotate" }] };
    const [change] = decodeDiff(odd).changes;
    const [finding] = decodeFindings([{ subject: "a", verdict: "puzzled", found: "b", advice: "" }]);

    assert.deepEqual([change?.id, change?.action], ["shop:configmap/Odd name!", "leave"]);
    assert.equal(finding?.verdict, "warning");
  });

  it("confirms nothing that isn't named", () => {
    assert.deepEqual(decodeConfirmation({}), { user: "", resources: [], pruneRevision: "" });
  });

  for (const [what, decode, json] of [
    ["a tree", decodeTree, { resources: {} }],
    ["a resource in a tree", decodeTree, { resources: [{ id: "a:b/c", children: [1] }] }],
    ["a diff", decodeDiff, []],
    ["a change", decodeDiff, { revision, changes: [{ id: "a:b/c", before: "x" }] }],
    ["events", decodeLoggedEvents, { events: [] }],
    ["an event", decodeLoggedEvents, [{ id: "x" }]],
    ["findings", decodeFindings, {}],
    ["a finding", decodeFindings, [{ subject: 1 }]],
    ["a confirmation", decodeConfirmation, { resources: "shop:configmap/one" }],
  ] as const) {
    it(`is refused if it's none: ${what}`, () => {
      assert.throws(() => decode(json), JsonShapeError);
    });
  }
});
