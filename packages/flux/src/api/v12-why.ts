import {
  type JsonObject,
  JsonReader,
  JsonShapeError,
  type JsonValue,
  jsonObjectAt,
  textAt,
} from "@weir/base";
import type { FieldDifference, FieldWriter } from "../cluster/object-report.ts";
import { toldResourceId } from "../resource/id.ts";
import type {
  WhyCause,
  WhyChange,
  WhyCommit,
  WhyContainer,
  WhyImageUse,
  WhyLive,
  WhyManifest,
  WhyReport,
  WhySync,
} from "./why.ts";

/**
 * {"kind", "subject", "verdict", "causes": [{"kind", "concerns", "message", "remedies": [{"text", "command"}]}], ...}: the
 * fields of the answer's interface. What isn't known is null.
 */
export function encodeWhy(report: WhyReport): JsonObject {
  const { kind, subject, verdict } = report;
  const causes = report.causes.map(encodeCause);
  switch (report.kind) {
    case "resource": {
      const { sync, status, git, live, differences } = report;
      return {
        kind,
        subject,
        verdict,
        status,
        git: git === undefined ? null : encodeManifest(git),
        live: live === undefined ? null : encodeLive(live),
        differences: differences.map(encodeDifference),
        sync: encodeSync(sync),
        causes,
      };
    }
    case "image": {
      const { state, error, tags } = report.scan;
      return {
        kind,
        subject,
        verdict,
        scan: { state, error, tags },
        uses: report.uses.map(encodeUse),
        causes,
      };
    }
    case "commit": {
      const { commit, sync, isOnBranch, isSynced, verified, changes, problem } = report;
      return {
        kind,
        subject,
        verdict,
        commit: encodeCommit(commit),
        sync: encodeSync(sync),
        isOnBranch,
        isSynced,
        verified,
        changes: changes.map(({ id, change, source, error }) => ({ id, change, source, error })),
        problem,
        causes,
      };
    }
    case "unknown":
      return { kind, subject, verdict, known: report.known, causes };
  }
}

/** Decodes the result of encodeWhy. Throws JsonShapeError. */
export function decodeWhy(value: JsonValue): WhyReport {
  const reader = new JsonReader(value);
  const answer = {
    subject: reader.text("subject"),
    verdict: reader.text("verdict"),
    causes: reader.list("causes", decodeCause) ?? [],
  };
  switch (choice(reader, "kind", ["resource", "image", "commit", "unknown"])) {
    case "resource": {
      const git = reader.value("git", decodeManifest);
      const live = reader.value("live", decodeLive);
      return {
        kind: "resource",
        ...answer,
        status: reader.text("status"),
        ...(git === undefined ? {} : { git }),
        ...(live === undefined ? {} : { live }),
        differences: reader.list("differences", decodeDifference) ?? [],
        sync: decodeSync(reader.object("sync")),
      };
    }
    case "image": {
      const scan = reader.object("scan");
      return {
        kind: "image",
        ...answer,
        scan: {
          state: choice(scan, "state", ["scanned", "waiting", "stale", "failed", "off"]),
          error: scan.text("error"),
          tags: scan.integer("tags"),
        },
        uses: reader.list("uses", decodeUse) ?? [],
      };
    }
    case "commit":
      return {
        kind: "commit",
        ...answer,
        commit: decodeCommit(reader.object("commit")),
        sync: decodeSync(reader.object("sync")),
        isOnBranch: reader.flag("isOnBranch"),
        isSynced: reader.flag("isSynced"),
        verified: choice(reader, "verified", ["yes", "no", "not required"]),
        changes: reader.list("changes", decodeChange) ?? [],
        problem: reader.text("problem"),
      };
    case "unknown":
      return { kind: "unknown", ...answer, known: reader.list("known", textAt) ?? [] };
  }
}

function encodeCause({ kind, concerns, message, remedies }: WhyCause): JsonObject {
  return {
    kind,
    concerns,
    message,
    remedies: remedies.map(({ text, command }) => ({ text, command })),
  };
}

function decodeCause(value: JsonValue, path: string): WhyCause {
  const reader = new JsonReader(value, path);
  const decodeRemedy = (remedy: JsonValue, at: string): WhyCause["remedies"][number] => {
    const each = new JsonReader(remedy, at);
    return { text: each.text("text"), command: each.text("command") };
  };
  return {
    kind: reader.text("kind"),
    concerns: choice(reader, "concerns", ["sync", "deletion", "health", "images"]),
    message: reader.text("message"),
    remedies: reader.list("remedies", decodeRemedy) ?? [],
  };
}

function encodeManifest({
  source,
  line,
  lastLine,
  text,
  containers,
  policies,
  commit,
}: WhyManifest): JsonObject {
  return {
    source,
    line,
    lastLine,
    text,
    containers: containers.map(encodeContainer),
    policies: { ...policies },
    commit: commit === undefined ? null : encodeCommit(commit),
  };
}

function decodeManifest(value: JsonValue, path: string): WhyManifest {
  const reader = new JsonReader(value, path);
  const commit = reader.value("commit", (each, at) => decodeCommit(new JsonReader(each, at)));
  return {
    source: reader.text("source"),
    line: reader.integer("line"),
    lastLine: reader.integer("lastLine"),
    text: reader.text("text"),
    containers: reader.list("containers", decodeContainer) ?? [],
    policies: Object.fromEntries(reader.map("policies", textAt) ?? []),
    ...(commit === undefined ? {} : { commit }),
  };
}

function encodeLive({
  apiVersion,
  health,
  healthMessage,
  owner,
  containers,
  replicas,
  writers,
  object,
}: WhyLive): JsonObject {
  return {
    apiVersion,
    health,
    healthMessage,
    owner,
    containers: containers.map(encodeContainer),
    replicas:
      replicas === undefined
        ? null
        : { desired: replicas.desired, updated: replicas.updated, ready: replicas.ready },
    writers: writers.map(encodeWriter),
    object: object ?? null,
  };
}

function decodeLive(value: JsonValue, path: string): WhyLive {
  const reader = new JsonReader(value, path);
  const object = reader.value("object", jsonObjectAt);
  const replicas = reader.value("replicas", (each, at) => {
    const counts = new JsonReader(each, at);
    return {
      desired: counts.integer("desired"),
      updated: counts.integer("updated"),
      ready: counts.integer("ready"),
    };
  });
  return {
    apiVersion: reader.text("apiVersion"),
    health: reader.text("health"),
    healthMessage: reader.text("healthMessage"),
    owner: reader.text("owner"),
    containers: reader.list("containers", decodeContainer) ?? [],
    ...(replicas === undefined ? {} : { replicas }),
    writers: reader.list("writers", decodeWriter) ?? [],
    ...(object === undefined ? {} : { object }),
  };
}

function encodeContainer({ name, image }: WhyContainer): JsonObject {
  return { name, image };
}

function decodeContainer(value: JsonValue, path: string): WhyContainer {
  const reader = new JsonReader(value, path);
  return { name: reader.text("name"), image: reader.text("image") };
}

function encodeWriter({ manager, operation, subresource, time }: FieldWriter): JsonObject {
  return { manager, operation, subresource, time };
}

function decodeWriter(value: JsonValue, path: string): FieldWriter {
  const reader = new JsonReader(value, path);
  return {
    manager: reader.text("manager"),
    operation: reader.text("operation"),
    subresource: reader.text("subresource"),
    time: reader.text("time"),
  };
}

function encodeDifference({ path, git, live, isHidden, writer }: FieldDifference): JsonObject {
  return { path, git, live, isHidden, writer: writer === undefined ? null : encodeWriter(writer) };
}

function decodeDifference(value: JsonValue, path: string): FieldDifference {
  const reader = new JsonReader(value, path);
  const writer = reader.value("writer", decodeWriter);
  return {
    path: reader.text("path"),
    git: reader.text("git"),
    live: reader.text("live"),
    isHidden: reader.flag("isHidden"),
    ...(writer === undefined ? {} : { writer }),
  };
}

function encodeSync({ head, synced, state, at, waitingFor, failures }: WhySync): JsonObject {
  return { head, synced, state, at, waitingFor, failures };
}

function decodeSync(reader: JsonReader): WhySync {
  return {
    head: reader.text("head"),
    synced: reader.text("synced"),
    state: choice(reader, "state", ["synced", "pending", "waiting", "failing", "never"]),
    at: reader.text("at"),
    waitingFor: reader.list("waitingFor", (id, at) => toldResourceId(textAt(id, at))) ?? [],
    failures: reader.list("failures", textAt) ?? [],
  };
}

function encodeCommit({ revision, author, date, message, madeBy }: WhyCommit): JsonObject {
  const made = madeBy && { kind: madeBy.kind, user: madeBy.user, message: madeBy.message };
  return { revision, author, date, message, madeBy: made ?? null };
}

function decodeCommit(reader: JsonReader): WhyCommit {
  const madeBy = reader.value("madeBy", (value, path) => {
    const made = new JsonReader(value, path);
    return {
      kind: choice(made, "kind", ["automation", "release", "policy change", "sync"]),
      user: made.text("user"),
      message: made.text("message"),
    };
  });
  return {
    revision: reader.text("revision"),
    author: reader.text("author"),
    date: reader.text("date"),
    message: reader.text("message"),
    ...(madeBy === undefined ? {} : { madeBy }),
  };
}

function encodeUse({ workload, container, image, filter, outcome, causes }: WhyImageUse): JsonObject {
  return { workload, container, image, filter, outcome, causes: causes.map(encodeCause) };
}

function decodeUse(value: JsonValue, path: string): WhyImageUse {
  const reader = new JsonReader(value, path);
  return {
    workload: toldResourceId(reader.text("workload")),
    container: reader.text("container"),
    image: reader.text("image"),
    filter: reader.text("filter"),
    outcome: choice(reader, "outcome", ["runs", "moves", "stays"]),
    causes: reader.list("causes", decodeCause) ?? [],
  };
}

function decodeChange(value: JsonValue, path: string): WhyChange {
  const reader = new JsonReader(value, path);
  return {
    id: toldResourceId(reader.text("id")),
    change: choice(reader, "change", ["added", "changed", "removed"]),
    source: reader.text("source"),
    error: reader.text("error"),
  };
}

/** One of the words that a field can have. Throws JsonShapeError for any other. */
function choice<T extends string>(reader: JsonReader, key: string, words: readonly T[]): T {
  const text = reader.text(key);
  const word = words.find((each) => each === text);
  if (word === undefined) {
    throw new JsonShapeError(key, `one of ${words.join(", ")}`, text);
  }
  return word;
}
