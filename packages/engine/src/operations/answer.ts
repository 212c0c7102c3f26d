import { isJsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { leanObject } from "@weir/kube/rest";

/** The server answered with something else than the object it was asked about. */
export class UnexpectedAnswerError extends Error {
  override readonly name = "UnexpectedAnswerError";
}

/** The object in an answer, as it is kept. Throws UnexpectedAnswerError, which never quotes the answer. */
export function objectIn(answer: unknown): KubeObject {
  if (!isKubeObject(answer)) {
    throw new UnexpectedAnswerError("its answer is not the object that was asked for");
  }
  return leanObject(answer);
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
