import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isJsonObject, JsonShapeError, type JsonValue } from "@weir/base";
import { decodeWhy, encodeWhy } from "../../../src/api/v12-why.ts";
import type { WhyReport } from "../../../src/api/why.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

const id = parseResourceId("shop:deployment/web");
const revision = "0123456789";
const writer = {
  manager: "kubectl-edit",
  operation: "Update",
  subresource: "scale",
  time: "2020-01-01T00:00:00Z",
};
const causes = [
  {
    kind: "locked",
    concerns: "images",
    message: "locked by Ann",
    remedies: [{ text: "to allow releases", command: "fluxctl unlock" }],
  },
] as const;
const commit = {
  revision,
  author: "Ann <ann@x.test>",
  date: "2020-01-01T00:00:00+01:00",
  message: "Release\n\nBecause",
  madeBy: { kind: "release", user: "Ann", message: "now" },
} as const;
const sync = {
  head: revision,
  synced: "",
  state: "waiting",
  at: "2020-01-01T00:00:00.000Z",
  waitingFor: [id],
  failures: ["no"],
} as const;
const answer = { subject: id, verdict: "It is so.", causes } as const;

const reports: readonly WhyReport[] = [
  {
    kind: "resource",
    ...answer,
    status: "OutOfSync",
    git: {
      source: "web.yaml",
      line: 3,
      lastLine: 20,
      text: "kind: Deployment\n",
      containers: [{ name: "main", image: "app:1" }],
      policies: { locked: "true", "tag.main": "glob:1.*" },
      commit,
    },
    live: {
      apiVersion: "apps/v1",
      health: "Degraded",
      healthMessage: "no image",
      owner: "Web web",
      containers: [{ name: "main", image: "app:2" }],
      replicas: { desired: 3, updated: 2, ready: 1 },
      writers: [writer],
      object: { kind: "Deployment", spec: { replicas: 3 } },
    },
    differences: [
      { path: "spec.replicas", git: "1", live: "3", isHidden: false, writer },
      { path: "data.pin", git: "", live: "", isHidden: true },
    ],
    sync,
  },
  { kind: "resource", ...answer, status: "", differences: [], sync },
  {
    kind: "image",
    ...answer,
    scan: { state: "failed", error: "no such host", tags: 0 },
    uses: [{ workload: id, container: "main", image: "app:1", filter: "glob:*", outcome: "stays", causes }],
  },
  {
    kind: "commit",
    ...answer,
    commit,
    sync,
    isOnBranch: true,
    isSynced: false,
    verified: "not required",
    changes: [{ id, change: "changed", source: "web.yaml", error: "refused" }],
    problem: "a.yaml: bad",
  },
  { kind: "unknown", ...answer, known: ["shop:deployment/web"] },
];

/** The same report on the wire, with another value in a field. */
function withField(report: WhyReport | undefined, name: string, value: JsonValue): JsonValue {
  const json = report === undefined ? null : encodeWhy(report);
  return isJsonObject(json) ? { ...json, [name]: value } : null;
}

describe("an answer to why on the wire", () => {
  for (const report of reports) {
    it(`is read as it was written: ${report.kind}`, () => {
      assert.deepEqual(decodeWhy(JSON.parse(JSON.stringify(encodeWhy(report))) as JsonValue), report);
    });
  }

  it("is refused if it's none", () => {
    for (const value of [
      {},
      null,
      { kind: "other" },
      withField(reports[0], "sync", { state: "odd" }),
      withField(reports[0], "causes", [{ concerns: "everything" }]),
      withField(reports[2], "scan", { state: "" }),
      withField(reports[3], "verified", "perhaps"),
      withField(reports[3], "changes", [{ change: "moved" }]),
      withField(reports[4], "known", [1]),
    ]) {
      assert.throws(() => decodeWhy(value), JsonShapeError, JSON.stringify(value));
    }
  });
});
