import { type JsonObject, JsonReader, type JsonValue, textAt } from "@weir/base";
import type { Condition } from "../cluster/condition.ts";
import { toldResourceId } from "../resource/id.ts";
import type { GitStatus } from "./api-server.ts";
import type { ResourceCounts, StatusReport } from "./inspection.ts";
import { decodeFindings, encodeFindings } from "./v12-check.ts";
import { decodePending, encodePending } from "./v12-confirmations.ts";
import { decodeLastSync, encodeLastSync } from "./v12-last-sync.ts";
import { decodeSuspensions, encodeSuspensions } from "./v12-suspension.ts";

/** The fields of a StatusReport; the conditions of resources are {"id", "message", "culprit"}. */
export function encodeStatus(report: StatusReport): JsonObject {
  const { git, head, synced, behind, automates, resources, pending, unknown } = report;
  return {
    git: { url: git.url, branch: git.branch, status: git.status, errors: git.errors },
    head,
    synced,
    behind,
    lastSync: encodeLastSync(report.lastSync),
    automates,
    suspensions: encodeSuspensions(report.suspensions),
    resources:
      resources === undefined
        ? null
        : {
            healthy: resources.healthy,
            degraded: resources.degraded.map(encodeCondition),
            pending: resources.pending.map(encodeCondition),
          },
    pending: pending === undefined ? null : encodePending(pending),
    findings: encodeFindings(report.findings),
    unknown,
  };
}

/** Decodes the result of encodeStatus. Throws JsonShapeError. */
export function decodeStatus(value: JsonValue): StatusReport {
  const reader = new JsonReader(value);
  const git = reader.object("git");
  const resources = reader.value("resources", decodeCounts);
  const pending = reader.value("pending", decodePending);
  return {
    git: {
      url: git.text("url"),
      branch: git.text("branch"),
      status: statuses.find((status) => status === git.text("status")) ?? "new",
      errors: git.text("errors"),
    },
    head: reader.text("head"),
    synced: reader.text("synced"),
    behind: reader.integer("behind"),
    lastSync: reader.value("lastSync", decodeLastSync) ?? decodeLastSync(null),
    automates: reader.flag("automates"),
    suspensions: reader.value("suspensions", decodeSuspensions) ?? [],
    ...(resources === undefined ? {} : { resources }),
    ...(pending === undefined ? {} : { pending }),
    findings: reader.value("findings", decodeFindings) ?? [],
    unknown: reader.list("unknown", textAt) ?? [],
  };
}

const statuses: readonly GitStatus[] = ["unconfigured", "new", "cloned", "ready", "unreachable"];

function encodeCondition({ id, message, culprit }: Condition): JsonObject {
  return { id, message, culprit };
}

function decodeCounts(value: JsonValue, path: string): ResourceCounts {
  const reader = new JsonReader(value, path);
  const conditions = (name: "degraded" | "pending"): readonly Condition[] =>
    reader.list(name, (each, at) => {
      const condition = new JsonReader(each, at);
      return {
        id: toldResourceId(condition.text("id")),
        is: name,
        message: condition.text("message"),
        culprit: toldResourceId(condition.text("culprit")),
      };
    }) ?? [];
  return {
    healthy: reader.integer("healthy"),
    degraded: conditions("degraded"),
    pending: conditions("pending"),
  };
}
