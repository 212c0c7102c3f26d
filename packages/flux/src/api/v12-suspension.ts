import {
  type JsonObject,
  JsonReader,
  JsonShapeError,
  type JsonValue,
  listAt,
  printGoTime,
  textAt,
} from "@weir/base";
import {
  type ResumeRequest,
  type Suspendable,
  type SuspendRequest,
  type Suspension,
  type SuspensionReport,
  suspendable,
} from "./suspension.ts";

/** [{"what", "reason", "user", "since", "until"}]; "until" is left out if there's no end. */
export function encodeSuspensions(suspensions: readonly Suspension[]): readonly JsonObject[] {
  return suspensions.map(({ what, reason, user, since, until }) => ({
    what,
    reason,
    user,
    since: printGoTime(since),
    ...(until === undefined ? {} : { until: printGoTime(until) }),
  }));
}

/** Decodes the result of encodeSuspensions; what only a later version can suspend is left out. Throws JsonShapeError. */
export function decodeSuspensions(value: JsonValue, path = ""): readonly Suspension[] {
  return listAt(value, path, decodeSuspension).flatMap((each) => each ?? []);
}

function decodeSuspension(value: JsonValue, path: string): Suspension | undefined {
  const reader = new JsonReader(value, path);
  const what = suspendable.find((each) => each === reader.text("what"));
  const until = reader.value("until", momentAt);
  return what === undefined
    ? undefined
    : {
        what,
        reason: reader.text("reason"),
        user: reader.text("user"),
        since: reader.value("since", momentAt) ?? new Date(0),
        ...(until === undefined ? {} : { until }),
      };
}

/** {"what": ["sync"], "reason", "user", "until", "seconds"}. */
export function encodeSuspend({ what, reason, user, until, seconds }: SuspendRequest): JsonObject {
  return {
    what,
    reason,
    user,
    ...(until === undefined ? {} : { until: printGoTime(until) }),
    ...(seconds === undefined ? {} : { seconds }),
  };
}

/** Decodes the result of encodeSuspend. Throws JsonShapeError. */
export function decodeSuspend(value: JsonValue): SuspendRequest {
  const reader = new JsonReader(value);
  const until = reader.value("until", momentAt);
  return {
    what: whatIn(reader),
    reason: reader.text("reason"),
    user: reader.text("user"),
    ...(until === undefined ? {} : { until }),
    ...(reader.has("seconds") ? { seconds: reader.integer("seconds") } : {}),
  };
}

/** {"what": ["sync"], "user"}. */
export function encodeResume({ what, user }: ResumeRequest): JsonObject {
  return { what, user };
}

/** Decodes the result of encodeResume. Throws JsonShapeError. */
export function decodeResume(value: JsonValue): ResumeRequest {
  const reader = new JsonReader(value);
  return { what: whatIn(reader), user: reader.text("user") };
}

/** {"suspensions", "ended", "forgotten", "stillSyncing"}. */
export function encodeSuspensionReport(report: SuspensionReport): JsonObject {
  const { suspensions, ended, forgotten, stillSyncing } = report;
  return {
    suspensions: encodeSuspensions(suspensions),
    ended: encodeSuspensions(ended),
    forgotten,
    stillSyncing,
  };
}

/** Decodes the result of encodeSuspensionReport. Throws JsonShapeError. */
export function decodeSuspensionReport(value: JsonValue): SuspensionReport {
  const reader = new JsonReader(value);
  return {
    suspensions: reader.value("suspensions", decodeSuspensions) ?? [],
    ended: reader.value("ended", decodeSuspensions) ?? [],
    forgotten: reader.text("forgotten"),
    stillSyncing: reader.flag("stillSyncing"),
  };
}

function whatIn(reader: JsonReader): readonly Suspendable[] {
  const what = reader.list("what", suspendableAt) ?? [];
  if (what.length === 0) {
    throw new JsonShapeError("what", `a list of ${suspendable.join(" and ")}`, []);
  }
  return what;
}

function suspendableAt(value: JsonValue, path: string): Suspendable {
  const text = textAt(value, path);
  const found = suspendable.find((each) => each === text);
  if (found === undefined) {
    throw new JsonShapeError(path, `one of ${suspendable.join(" and ")}`, value);
  }
  return found;
}

function momentAt(value: JsonValue, path: string): Date {
  const moment = new Date(textAt(value, path));
  if (Number.isNaN(moment.getTime())) {
    throw new JsonShapeError(path, "a time such as 2020-01-02T03:04:05Z", value);
  }
  return moment;
}
