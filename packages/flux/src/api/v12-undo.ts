import { type JsonObject, JsonReader, type JsonValue, textAt } from "@weir/base";
import { parseResourceId, toldResourceId } from "../resource/id.ts";
import { encodeCause } from "../update/wire.ts";
import type { UndoAnswer, UndoPlan, UndoRequest } from "./undo.ts";

/** {"cause": {"Message", "User"}, "commit", "resource", "allowDelete", "dryRun"}. */
export function encodeUndoRequest({ cause, ...request }: UndoRequest): JsonObject {
  return { cause: encodeCause(cause), ...request };
}

/** Decodes the result of encodeUndoRequest. Throws JsonShapeError or InvalidResourceIdError. */
export function decodeUndoRequest(value: JsonValue): UndoRequest {
  const reader = new JsonReader(value);
  const cause = reader.object("cause");
  const resource = reader.text("resource");
  return {
    cause: { message: cause.text("Message"), user: cause.text("User") },
    commit: reader.text("commit"),
    resource: resource === "" ? "" : parseResourceId(resource),
    allowDelete: reader.flag("allowDelete"),
    dryRun: reader.flag("dryRun"),
  };
}

/** {"job", "plan": null or the plan}. */
export function encodeUndoAnswer({ job, plan }: UndoAnswer): JsonObject {
  return { job, plan: plan === undefined ? null : encodeUndoPlan(plan) };
}

/** Decodes the result of encodeUndoAnswer. Throws JsonShapeError. */
export function decodeUndoAnswer(value: JsonValue): UndoAnswer {
  const reader = new JsonReader(value);
  return { job: reader.text("job"), plan: reader.value("plan", decodePlan) };
}

/** {"revision", "head", "author", "message", "resources": [{"id", "what"}], "locks": [id], "files": [{"path", "diff"}], "leftAlone": [path]}. */
function encodeUndoPlan(plan: UndoPlan): JsonObject {
  const { revision, head, author, message, resources, locks, files, leftAlone } = plan;
  return {
    ...{ revision, head, author, message },
    resources: resources.map(({ id, what }) => ({ id, what })),
    locks,
    files: files.map(({ path, diff }) => ({ path, diff })),
    leftAlone,
  };
}

function decodePlan(value: JsonValue, path: string): UndoPlan {
  const reader = new JsonReader(value, path);
  return {
    revision: reader.text("revision"),
    head: reader.text("head"),
    author: reader.text("author"),
    message: reader.text("message"),
    resources: reader.list("resources", decodeResource) ?? [],
    locks: reader.list("locks", (id, at) => toldResourceId(textAt(id, at))) ?? [],
    files: reader.list("files", decodeFile) ?? [],
    leftAlone: reader.list("leftAlone", textAt) ?? [],
  };
}

const deeds: readonly UndoPlan["resources"][number]["what"][] = ["created", "changed", "deleted"];

function decodeResource(value: JsonValue, path: string): UndoPlan["resources"][number] {
  const reader = new JsonReader(value, path);
  const what = deeds.find((each) => each === reader.text("what")) ?? "changed";
  return { id: toldResourceId(reader.text("id")), what };
}

function decodeFile(value: JsonValue, path: string): UndoPlan["files"][number] {
  const reader = new JsonReader(value, path);
  return { path: reader.text("path"), diff: reader.text("diff") };
}
