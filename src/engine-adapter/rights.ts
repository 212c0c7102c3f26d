/** The permissions that fluxd needs, those that it has, and the difference. Pure. */
import { isJsonArray, isJsonObject, type JsonValue } from "@weir/base";
import type { ApiResource, GroupKind, Right } from "@weir/kube";

/** A rule as the API server returns it; "*" stands for all. */
export interface RbacRule {
  readonly verbs: readonly string[];
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  /** Empty for objects of any name. */
  readonly names: readonly string[];
}

/** A kind that's in git in a namespace; "" for cluster-scoped objects. */
export interface KindInUse extends GroupKind {
  readonly version: string;
  readonly namespace: string;
}

/** What permissions depend on besides the kinds. */
export interface Undertaking {
  /** Empty for all. */
  readonly allowedNamespaces: ReadonlySet<string>;
  /** True if objects are deleted when they're removed from git. */
  readonly prunes: boolean;
}

const watching = ["list", "watch"];

/**
 * The permissions that syncing needs: watching kinds wherever they can be used, and writing the resources in git.
 * `synced` contains the kinds in git, as the server names them, with their namespaces; `listed` contains the kinds of
 * workloads to list.
 */
export function neededRights(
  synced: readonly { readonly resource: ApiResource; readonly namespace: string }[],
  listed: readonly ApiResource[],
  { allowedNamespaces, prunes }: Undertaking,
): readonly Right[] {
  const writing = ["get", "create", "patch", ...(prunes ? ["delete"] : [])];
  const kinds = [...synced.map(({ resource }) => resource), ...listed];
  const watched = new Map(kinds.map((kind) => [`${kind.resource}.${kind.group}`, kind])).values();
  const places = allowedNamespaces.size === 0 ? [""] : [...allowedNamespaces];
  return [
    ...synced.map(({ resource, namespace }) => rightTo(resource, namespace, writing)),
    ...[...watched].flatMap((resource) =>
      (resource.namespaced ? places : [""]).map((namespace) => rightTo(resource, namespace, watching)),
    ),
  ];
}

/** The verbs of a right that no rule permits for objects of any name. */
export function lackingVerbs(
  { group, resource, verbs }: Right,
  rules: readonly RbacRule[],
): readonly string[] {
  const matching = rules.filter(
    ({ groups, resources, names }) =>
      names.length === 0 && holds(groups, group) && holds(resources, resource),
  );
  return verbs.filter((verb) => !matching.some((rule) => holds(rule.verbs, verb)));
}

/** Parses the rules from the response to a SelfSubjectRulesReview. */
export function readRules(review: unknown): readonly RbacRule[] {
  const status = isJsonObject(review) ? review["status"] : undefined;
  const rules = isJsonObject(status) ? status["resourceRules"] : undefined;
  return (isJsonArray(rules) ? rules : []).filter(isJsonObject).map((rule) => ({
    verbs: textsIn(rule["verbs"]),
    groups: textsIn(rule["apiGroups"]),
    resources: textsIn(rule["resources"]),
    names: textsIn(rule["resourceNames"]),
  }));
}

function rightTo(resource: ApiResource, namespace: string, verbs: readonly string[]): Right {
  return { group: resource.group, resource: resource.resource, namespace, verbs };
}

function holds(list: readonly string[], word: string): boolean {
  return list.includes("*") || list.includes(word);
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((each) => typeof each === "string") : [];
}
