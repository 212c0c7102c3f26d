import { quoteGo } from "@weir/base";
import { type ApiResource, apiVersionOf, isApiReason, type KubeObject, resourcePath } from "@weir/kube";
import { leanObject } from "@weir/kube/rest";
import { wholeObjectIn } from "./answer.ts";
import type { OperationContext } from "./context.ts";
import { operationError } from "./operation-error.ts";

/** The API path of a manifest's object or of a live object. */
export function pathOf(resource: ApiResource, { metadata }: KubeObject): string {
  return resourcePath(resource, metadata.namespace ?? "", metadata.name ?? "");
}

/**
 * Throws OperationError if a manifest's object has no valid path: kubectl finds that out when it reads the
 * live object, before it does anything else. A name that the server generates doesn't exist yet.
 */
export function checkPath(resource: ApiResource, object: KubeObject, signal: AbortSignal): void {
  const { namespace = "", name } = object.metadata;
  try {
    resourcePath(resource, namespace, name);
  } catch (error) {
    throw operationError(error, { verb: verbFor(resource, object), objects: [object], signal });
  }
}

/**
 * The live object with that name, or undefined if there is none. The cache learns of it too: it can be far
 * behind if its watch is in trouble. Rejects with OperationError.
 */
export async function readObject(
  context: OperationContext,
  resource: ApiResource,
  object: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const live = await readWholeObject(context, resource, object, signal);
  return live && leanObject(live);
}

/** Like readObject, with the managedFields of the object. */
export async function readWholeObject(
  { client, cache }: OperationContext,
  resource: ApiResource,
  object: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    const whole = wholeObjectIn(await client.json({ method: "GET", path: pathOf(resource, object), signal }));
    cache.observe(leanObject(whole));
    return whole;
  } catch (error) {
    if (isApiReason(error, "NotFound")) {
      return undefined;
    }
    throw operationError(error, { verb: verbFor(resource, object), objects: [object], signal });
  }
}

/** How kubectl names an object that it couldn't read. */
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
