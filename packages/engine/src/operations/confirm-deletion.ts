import { apiVersionOf, type KubeObject } from "@weir/kube";
import { jsonMergePatchType } from "@weir/kube/patch";
import type { ResourceCache } from "../cache/resource-cache.ts";
import { confirmationAnnotation, confirmationOf } from "../plan/confirmation.ts";
import type { KeptObject } from "../plan/guards.ts";
import type { OperationContext } from "./context.ts";
import { OperationError } from "./operation-error.ts";
import { pathOf } from "./read.ts";
import { sendWrite } from "./write.ts";

/**
 * Confirms the deletion of a live object, by an annotation. Only the very object is confirmed: if another one has
 * its name now, the server refuses. Rejects with OperationError.
 */
export async function confirmDeletion(
  context: OperationContext & { readonly cache: Pick<ResourceCache, "resourceOf"> },
  { key, uid }: Pick<KeptObject, "key" | "uid">,
  signal: AbortSignal,
): Promise<void> {
  const resource = await context.cache.resourceOf(key);
  if (resource === undefined) {
    throw new OperationError(`the server has no kind ${key.kind} anymore`, "NotFound");
  }
  const { group, version, kind } = resource;
  const { namespace, name } = key;
  const object: KubeObject = {
    apiVersion: apiVersionOf(group, version),
    kind,
    metadata: { name, ...(namespace === "" ? {} : { namespace }), ...(uid === undefined ? {} : { uid }) },
  };
  const confirmation = confirmationOf(object, context.clock.now());
  if (confirmation === undefined) {
    throw new OperationError(`${kind} ${name} is not known as a live object`, "NotFound");
  }
  const write = {
    method: "PATCH",
    path: pathOf(resource, object),
    body: { metadata: { uid, annotations: { [confirmationAnnotation]: confirmation } } },
    contentType: jsonMergePatchType,
    fieldManager: "weir-confirmation",
    verb: "patching",
    objects: [object],
  } as const;
  await sendWrite(context, write, { validate: true, dryRun: false, signal });
}
