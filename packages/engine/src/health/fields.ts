import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { KubeObject } from "@weir/kube";

/** A condition of a status, with "" for absent fields. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** The generation that the condition is about; undefined if it isn't given, or isn't a number. */
  readonly observedGeneration: number | undefined;
}

/** The object's spec; empty if it has none. */
export function specOf(object: KubeObject): JsonObject {
  return objectOf(object.spec);
}

/** The object's status; empty if it has none. */
export function statusOf(object: KubeObject): JsonObject {
  return objectOf(object.status);
}

/** The value if it's an object, or else an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects in a list; none if the value isn't a list. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

/** The value if it's a number, or else 0: a status omits zeros. */
export function countOf(value: JsonValue | undefined): number {
  return numberOf(value) ?? 0;
}

/** The value if it's a number, or else undefined. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The value if it's a string, or else "". */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The conditions of a status, in order. */
export function conditionsOf(status: JsonObject): readonly Condition[] {
  return objectsOf(status["conditions"]).map((condition) => ({
    type: textOf(condition["type"]),
    status: textOf(condition["status"]),
    reason: textOf(condition["reason"]),
    message: textOf(condition["message"]),
    observedGeneration: numberOf(condition["observedGeneration"]),
  }));
}

/** The condition of the given type, or undefined if the status has none. */
export function conditionOf(status: JsonObject, type: string): Condition | undefined {
  return conditionsOf(status).find((condition) => condition.type === type);
}

/** True if the controller hasn't observed the current definition yet. */
export function isUnobserved(object: KubeObject): boolean {
  return countOf(numberOf(object.metadata.generation)) > countOf(statusOf(object)["observedGeneration"]);
}
