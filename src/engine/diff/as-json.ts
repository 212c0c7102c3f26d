import { invariant } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { KubeObject } from "../../kube/object.ts";

/** An object as plain JSON: that is what it was read as. */
export function asJson(object: KubeObject): JsonObject {
  invariant(isJsonObject(object), "a Kubernetes object is a JSON object");
  return object;
}
