import { invariant, isJsonObject, type JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";

/** An object as plain JSON, which is what it was read from. */
export function asJson(object: KubeObject): JsonObject {
  invariant(isJsonObject(object), "a Kubernetes object is a JSON object");
  return object;
}
