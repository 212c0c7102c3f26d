import { type JsonObject, JsonReader, type JsonValue } from "@weir/base";
import type { FieldDifference, FieldWriter } from "../cluster/object-report.ts";
import {
  flag,
  integer,
  list,
  maybe,
  object,
  record,
  resource,
  resources,
  text,
  textMap,
  texts,
  word,
} from "./codec.ts";
import type {
  CommitAnswer,
  ImageAnswer,
  ResourceAnswer,
  UnknownAnswer,
  WhyCause,
  WhyChange,
  WhyCommit,
  WhyContainer,
  WhyImageUse,
  WhyLive,
  WhyManifest,
  WhyRemedy,
  WhyReport,
  WhyScan,
  WhySync,
} from "./why.ts";

/** As an object with the fields of the answer's interface. What isn't known is null. */
export function encodeWhy(report: WhyReport): JsonObject {
  switch (report.kind) {
    case "resource":
      return resourceAnswer.encode(report);
    case "image":
      return imageAnswer.encode(report);
    case "commit":
      return commitAnswer.encode(report);
    case "unknown":
      return unknownAnswer.encode(report);
  }
}

/** Decodes the result of encodeWhy. Throws JsonShapeError. */
export function decodeWhy(value: JsonValue): WhyReport {
  const kind = new JsonReader(value).value("kind", kinds.decode) ?? kinds.decode("", "kind");
  return { resource: resourceAnswer, image: imageAnswer, commit: commitAnswer, unknown: unknownAnswer }[
    kind
  ].decode(value);
}

const kinds = word(["resource", "image", "commit", "unknown"]);

const causes = list(
  record<WhyCause>({
    kind: text,
    concerns: word(["sync", "deletion", "health", "images"]),
    message: text,
    remedies: list(record<WhyRemedy>({ text, command: text })),
  }),
);

const commit = record<WhyCommit>({
  revision: text,
  author: text,
  date: text,
  message: text,
  madeBy: maybe(
    record<NonNullable<WhyCommit["madeBy"]>>({
      kind: word(["automation", "release", "policy change", "sync"]),
      user: text,
      message: text,
    }),
  ),
});

const sync = record<WhySync>({
  head: text,
  synced: text,
  state: word(["synced", "pending", "waiting", "failing", "never"]),
  at: text,
  waitingFor: resources,
  failures: texts,
});

const containers = list(record<WhyContainer>({ name: text, image: text }));

const writer = record<FieldWriter>({ manager: text, operation: text, subresource: text, time: text });

const resourceAnswer = record<ResourceAnswer>({
  kind: word(["resource"]),
  subject: text,
  verdict: text,
  status: text,
  git: maybe(
    record<WhyManifest>({
      source: text,
      line: integer,
      lastLine: integer,
      text,
      containers,
      policies: textMap,
      commit: maybe(commit),
    }),
  ),
  live: maybe(
    record<WhyLive>({
      apiVersion: text,
      health: text,
      healthMessage: text,
      owner: text,
      containers,
      replicas: maybe(
        record<NonNullable<WhyLive["replicas"]>>({ desired: integer, updated: integer, ready: integer }),
      ),
      writers: list(writer),
      object: maybe(object),
    }),
  ),
  differences: list(
    record<FieldDifference>({ path: text, git: text, live: text, isHidden: flag, writer: maybe(writer) }),
  ),
  sync,
  causes,
});

const imageAnswer = record<ImageAnswer>({
  kind: word(["image"]),
  subject: text,
  verdict: text,
  scan: record<WhyScan>({
    state: word(["scanned", "waiting", "stale", "failed", "off"]),
    error: text,
    tags: integer,
  }),
  uses: list(
    record<WhyImageUse>({
      workload: resource,
      container: text,
      image: text,
      filter: text,
      outcome: word(["runs", "moves", "stays"]),
      causes,
    }),
  ),
  causes,
});

const commitAnswer = record<CommitAnswer>({
  kind: word(["commit"]),
  subject: text,
  verdict: text,
  commit,
  sync,
  isOnBranch: flag,
  isSynced: flag,
  verified: word(["yes", "no", "not required"]),
  changes: list(
    record<WhyChange>({
      id: resource,
      change: word(["added", "changed", "removed"]),
      source: text,
      error: text,
    }),
  ),
  problem: text,
  causes,
});

const unknownAnswer = record<UnknownAnswer>({
  kind: word(["unknown"]),
  subject: text,
  verdict: text,
  known: texts,
  causes,
});
