import { KubeApiError } from "@weir/kube";
import type { ApiContext } from "../api/api-context.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { forbiddenError, notFoundError } from "../status-errors.ts";

/** Nothing is made in a namespace that is not there or going. Throws KubeApiError (404, 403). */
export function requireNamespace(
  context: ApiContext,
  resource: ServedResource,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): void {
  if (!resource.namespaced) {
    return;
  }
  const found = context.store.get("namespaces", "", namespace);
  if (found === undefined) {
    throw notFoundError({ group: "", resource: "namespaces" }, namespace);
  }
  if (found.deleting) {
    throw terminating(resource, namespace, name);
  }
}

function terminating(resource: ServedResource, namespace: string, name: string): KubeApiError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = forbiddenError(resource, name, why);
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  return new KubeApiError({ ...status, details: { ...status.details, causes: [cause] } });
}
