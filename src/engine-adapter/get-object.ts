import { isJsonObject } from "@weir/base";
import { isApiReason, type KubeObject } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";

/** An object with its managedFields; undefined if there's none. Rejects like the client. */
export async function getObject(
  path: string,
  client: Pick<RestClient, "json">,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    const answer = await client.json({ method: "GET", path, signal });
    return isObject(answer) ? answer : undefined;
  } catch (error) {
    if (isApiReason(error, "NotFound")) {
      return undefined;
    }
    throw error;
  }
}

function isObject(answer: unknown): answer is KubeObject {
  return isJsonObject(answer) && typeof answer["kind"] === "string" && isJsonObject(answer["metadata"]);
}
