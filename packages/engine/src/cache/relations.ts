/**
 * Which objects own which, as text: an object names its owners, and an owner claims the names of its children.
 * Most ownership is by uid. Some of it isn't recorded by Kubernetes' own controllers; there, the text is made
 * of what both sides know. Deciding takes no look at other objects, so an index can follow each change alone.
 */
import { isJsonArray, isJsonObject } from "@weir/base";
import { annotationOf, groupOf, type KubeObject } from "@weir/kube";

const none: readonly string[] = [];

/** The owners of an object: their uids, and what owners without a reference claim. Each once. */
export function ownersOf(object: KubeObject): readonly string[] {
  const references = object.metadata.ownerReferences;
  const inferred = inferredOwner(object);
  if (references === undefined || references.length === 0) {
    return inferred === undefined ? none : [inferred];
  }
  const uids = new Set(references.map(({ uid }) => uid));
  return inferred === undefined ? [...uids] : [...uids, inferred];
}

/** What the children of an object name as their owner, besides its uid. */
export function claimsOf(object: KubeObject): readonly string[] {
  const { namespace = "", name = "" } = object.metadata;
  switch (object.kind) {
    case "Service":
      return isCore(object) ? [endpointsOf(namespace, name)] : none;
    case "ServiceAccount":
      return isCore(object) ? [tokensOf(namespace, name)] : none;
    case "StatefulSet":
      return groupOf(object.apiVersion) === "apps"
        ? templateNames(object).map((template) => volumesOf(namespace, `${template}-${name}`))
        : none;
    default:
      return none;
  }
}

function inferredOwner(object: KubeObject): string | undefined {
  const { namespace = "", name = "" } = object.metadata;
  switch (object.kind) {
    case "Endpoints":
      return isCore(object) ? endpointsOf(namespace, name) : undefined;
    case "Secret": {
      const account = annotationOf(object, "kubernetes.io/service-account.name");
      const isToken = isCore(object) && object["type"] === "kubernetes.io/service-account-token";
      return isToken && account !== undefined ? tokensOf(namespace, account) : undefined;
    }
    case "PersistentVolumeClaim": {
      const [, set] = /^(.+)-[0-9]+$/.exec(name) ?? [];
      return isCore(object) && set !== undefined ? volumesOf(namespace, set) : undefined;
    }
    default:
      return undefined;
  }
}

function isCore({ apiVersion }: KubeObject): boolean {
  return groupOf(apiVersion) === "";
}

/** A Service's Endpoints have its name. */
function endpointsOf(namespace: string, service: string): string {
  return `endpoints of ${namespace}/${service}`;
}

/** A token names its ServiceAccount in an annotation. */
function tokensOf(namespace: string, account: string): string {
  return `tokens of ${namespace}/${account}`;
}

/** A StatefulSet's claim is named "<template>-<set>-<ordinal>". */
function volumesOf(namespace: string, templateAndSet: string): string {
  return `volumes of ${namespace}/${templateAndSet}`;
}

function templateNames(set: KubeObject): readonly string[] {
  const templates = isJsonObject(set.spec) ? set.spec["volumeClaimTemplates"] : undefined;
  return (isJsonArray(templates) ? templates : []).flatMap((template) => {
    const metadata = isJsonObject(template) ? template["metadata"] : undefined;
    const name = isJsonObject(metadata) ? metadata["name"] : undefined;
    return typeof name === "string" ? [name] : [];
  });
}
