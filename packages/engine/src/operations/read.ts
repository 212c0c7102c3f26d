import { quoteGo } from "@weir/base";
import { type ApiResource, apiVersionOf, isApiReason, type KubeObject, resourcePath } from "@weir/kube";
import { objectIn } from "./answer.ts";
import type { OperationContext } from "./context.ts";
import { operationError } from "./operation-error.ts";

/** The path of the object that a manifest, or a live object, stands for. */
export function pathOf(resource: ApiResource, { metadata }: KubeObject): string {
  return resourcePath(resource, metadata.namespace ?? "", metadata.name ?? "");
}

/**
 * Throws OperationError where no path leads to the object of a manifest: kubectl finds that out when it reads the
 * live object, so it goes before whatever is done. What gets its name from the server has none yet.
 */
export function checkPath(resource: ApiResource, object: KubeObject, signal: AbortSignal): void {
  const { namespace = "", name } = object.metadata;
  try {
    resourcePath(resource, namespace, name);
  } catch (error) {
    throw operationError(error, { verb: verbFor(resource, object), objects: [object], signal });
  }
}

/** The live object of that name, undefined where there is none. Rejects with OperationError. */
export async function readObject(
  { client }: OperationContext,
  resource: ApiResource,
  object: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    return objectIn(await client.json({ method: "GET", path: pathOf(resource, object), signal }));
  } catch (error) {
    if (isApiReason(error, "NotFound")) {
      return undefined;
    }
    throw operationError(error, { verb: verbFor(resource, object), objects: [object], signal });
  }
}

/** As kubectl names an object that it could not read. */
function verbFor(resource: ApiResource, { metadata }: KubeObject): string {
  const { group, version, kind } = resource;
  const apiVersion = group === "" ? `/${version}` : apiVersionOf(group, version);
  const { name = "", namespace = "" } = metadata;
  return [
    "retrieving current configuration of:",
    `Resource: ${quoteGo(`${apiVersion}, Resource=${resource.resource}`)}, GroupVersionKind: ${quoteGo(`${apiVersion}, Kind=${kind}`)}`,
    `Name: ${quoteGo(name)}, Namespace: ${quoteGo(namespace)}`,
    "from server for:",
  ].join("\n");
}
