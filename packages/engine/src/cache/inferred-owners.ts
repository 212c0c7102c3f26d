import { isJsonArray, isJsonObject } from "@weir/base";
import { annotationOf, type GroupKind, type KubeObject } from "@weir/kube";

/** A kind whose objects belong to other objects in their namespace without an owner reference. */
export interface InferredOwnership {
  readonly owner: GroupKind;
  readonly child: GroupKind;
  /** True if `owner`, an object of the owner's kind, owns `child`, an object of the child's kind. */
  readonly owns: (owner: KubeObject, child: KubeObject) => boolean;
}

/** The ownerships that Kubernetes' own controllers don't record. */
const inferredOwnerships: readonly InferredOwnership[] = [
  {
    owner: { group: "", kind: "Service" },
    child: { group: "", kind: "Endpoints" },
    owns: (service, endpoints) => service.metadata.name === endpoints.metadata.name,
  },
  {
    owner: { group: "", kind: "ServiceAccount" },
    child: { group: "", kind: "Secret" },
    owns: (account, secret) =>
      secret["type"] === "kubernetes.io/service-account-token" &&
      annotationOf(secret, "kubernetes.io/service-account.name") === account.metadata.name,
  },
  {
    owner: { group: "apps", kind: "StatefulSet" },
    child: { group: "", kind: "PersistentVolumeClaim" },
    owns: (set, claim) => claimPrefixes(set).some((prefix) => isOrdinalOf(claim.metadata.name ?? "", prefix)),
  },
];

/** The ownerships in which a kind is the owner. */
export function inferredOwnershipsOf(owner: GroupKind): readonly InferredOwnership[] {
  return inferredOwnerships.filter(
    (each) => each.owner.group === owner.group && each.owner.kind === owner.kind,
  );
}

/** A StatefulSet's claim is named "<template>-<set>-<ordinal>". */
function claimPrefixes(set: KubeObject): readonly string[] {
  const templates = isJsonObject(set.spec) ? set.spec["volumeClaimTemplates"] : undefined;
  return (isJsonArray(templates) ? templates : []).flatMap((template) => {
    const metadata = isJsonObject(template) ? template["metadata"] : undefined;
    const name = isJsonObject(metadata) ? metadata["name"] : undefined;
    return typeof name === "string" ? [`${name}-${set.metadata.name ?? ""}-`] : [];
  });
}

function isOrdinalOf(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && /^[0-9]+$/.test(name.slice(prefix.length));
}
