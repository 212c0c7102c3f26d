import type { KubeObject } from "@weir/kube";

/**
 * Fields of live objects that others may set. Differences in them are no differences, and a write keeps their
 * live values. On creation, the manifest's values are sent.
 */
export interface IgnoredDifferences {
  /** Only in the object with this name; absent: in all. */
  readonly name?: string;
  /** Only in objects in this namespace; absent: in all. */
  readonly namespace?: string;
  /** RFC 6901 pointers, such as "/spec/replicas". A pointer that selects nothing isn't an error. */
  readonly jsonPointers?: readonly string[];
  /**
   * jq path expressions, such as `.spec.containers[] | select(.name == "proxy")`. An expression that fails for
   * an object selects nothing in it.
   */
  readonly jqPathExpressions?: readonly string[];
  /** Field managers, such as "kube-controller-manager": the fields that they own, by the live object's managedFields. */
  readonly managedFieldsManagers?: readonly string[];
}

/** The fields to ignore in one object; all lists may be empty. */
export interface IgnoredSelection {
  readonly pointers: readonly string[];
  readonly expressions: readonly string[];
  readonly managers: readonly string[];
}

/** What these rules select in an object; undefined if nothing. */
export function selectionFor(
  target: KubeObject,
  rules: readonly IgnoredDifferences[],
): IgnoredSelection | undefined {
  const matching = rules.filter((rule) => isMeant(target, rule));
  const pointers = [
    ...matching.flatMap(({ jsonPointers = [] }) => jsonPointers),
    ...(isAggregatedRole(target) ? ["/rules"] : []),
  ];
  const expressions = matching.flatMap(({ jqPathExpressions = [] }) => jqPathExpressions);
  const managers = matching.flatMap(({ managedFieldsManagers = [] }) => managedFieldsManagers);
  const isEmpty = pointers.length + expressions.length + managers.length === 0;
  return isEmpty ? undefined : { pointers, expressions, managers };
}

function isMeant({ metadata }: KubeObject, { name, namespace }: IgnoredDifferences): boolean {
  return (
    (name === undefined || name === metadata.name) &&
    (namespace === undefined || namespace === metadata.namespace)
  );
}

/** A controller writes the rules of a ClusterRole with an aggregationRule. */
function isAggregatedRole({ apiVersion, kind, ...object }: KubeObject): boolean {
  return (
    kind === "ClusterRole" &&
    apiVersion.startsWith("rbac.authorization.k8s.io/") &&
    (object["aggregationRule"] ?? null) !== null
  );
}
