import { isJsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { leanObject } from "@weir/kube/rest";

/** The server responded with something other than the requested object. */
export class UnexpectedAnswerError extends Error {
  override readonly name = "UnexpectedAnswerError";
}

/** The object in a response, as it's kept. Throws UnexpectedAnswerError, which never quotes the response. */
export function objectIn(answer: unknown): KubeObject {
  return leanObject(wholeObjectIn(answer));
}

/** The object in a response with its managedFields, which aren't kept. Throws like objectIn. */
export function wholeObjectIn(answer: unknown): KubeObject {
  if (!isKubeObject(answer)) {
    throw new UnexpectedAnswerError("the response is not the requested object");
  }
  return answer;
}

function isKubeObject(value: unknown): value is KubeObject {
  return (
    isJsonObject(value) &&
    typeof value["apiVersion"] === "string" &&
    typeof value["kind"] === "string" &&
    value["kind"] !== "Status" &&
    isJsonObject(value["metadata"])
  );
}
