/** What a request would do, and how. */
import { createHash } from "node:crypto";
import { isJsonArray, isJsonObject, type JsonValue } from "@weir/base";
import type { Cause, ResourceId } from "@weir/flux";
import type { Plan } from "../contract/jobs.ts";

/** What was found out about a request, without changing anything. */
export interface Planned {
  readonly changes: Plan["changes"];
  /** Everything that is changed; undefined if that's the whole instance. */
  readonly touches: readonly ResourceId[] | undefined;
  /** Everything that determines what is done, and nothing else: neither who wants it nor why. */
  readonly substance: JsonValue;
  /** The head of the branch for which it was planned, if nothing may be done on another one; "" if that doesn't matter. */
  readonly head: string;
  /** False if the daemon can't say what it would do. */
  readonly isKnown: boolean;
  /** Why it can't be done; "" if it can. */
  readonly obstacle: string;
  /** What the daemon is sent, to do exactly what was planned or nothing. */
  toSpec(cause: Cause): JsonValue;
}

/** A text that's the same for plans of an instance that do the same. */
export function digestOf(instanceId: string, substance: JsonValue): string {
  return createHash("sha256")
    .update(canonical([instanceId, substance]))
    .digest("base64url");
}

/** JSON whose keys are sorted. */
function canonical(value: JsonValue): string {
  if (isJsonArray(value)) {
    return `[${value.map(canonical).join(",")}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each ?? null)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}
