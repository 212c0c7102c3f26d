import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { KubeObject } from "@weir/kube";

/** A condition of a status, with absent fields as "". */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The object's spec; empty where there is none. */
export function specOf(object: KubeObject): JsonObject {
  return objectOf(object.spec);
}

/** The object's status; empty where there is none. */
export function statusOf(object: KubeObject): JsonObject {
  return objectOf(object.status);
}

/** The value where it is an object, else an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects of a list; none where the value is no list. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

/** The value where it is a number, else 0: a status leaves zeros out. */
export function countOf(value: JsonValue | undefined): number {
  return typeof value === "number" ? value : 0;
}

/** The value where it is a string, else "". */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The conditions of a status, in their order. */
export function conditionsOf(status: JsonObject): readonly Condition[] {
  return objectsOf(status["conditions"]).map((condition) => ({
    type: textOf(condition["type"]),
    status: textOf(condition["status"]),
    reason: textOf(condition["reason"]),
    message: textOf(condition["message"]),
  }));
}

/** The condition of that type, undefined where the status has none. */
export function conditionOf(status: JsonObject, type: string): Condition | undefined {
  return conditionsOf(status).find((condition) => condition.type === type);
}

/** True where the controller has yet to look at the definition as it is now. */
export function isUnobserved(object: KubeObject): boolean {
  return (object.metadata.generation ?? 0) > countOf(statusOf(object)["observedGeneration"]);
}
