/** What can be done with a resource, path by path: what OpenAPI documents of both versions are made from. */
import type { JsonObject, JsonValue } from "@weir/base";
import type { GroupVersionKind } from "@weir/kube";
import type { ServedResource, Subresource } from "../resources/served-resource.ts";

export type HttpMethod = "get" | "post" | "put" | "patch" | "delete";

/** One method of one path. */
export interface Operation {
  readonly path: string;
  readonly method: HttpMethod;
  readonly id: string;
  /** The verb as OpenAPI names it (x-kubernetes-action). */
  readonly action: string;
  readonly description: string;
  readonly tag: string;
  readonly kind: GroupVersionKind;
  /** The types of what is sent and answered, by OpenAPI name; "" for free-form. */
  readonly bodyType: string;
  readonly answerType: string;
  /** Query parameters by name; see parameters.ts. */
  readonly parameters: readonly string[];
  readonly isCreation: boolean;
}

/** All operations on a resource and its subresources. */
export function operationsOf(
  resource: ServedResource,
  typeOf: (kind: GroupVersionKind) => string,
): readonly Operation[] {
  return [
    ...collectionOperations(resource),
    ...itemOperations(resource, "", resource.verbs, resource, resource.typeName),
    ...[...resource.subresources.values()].flatMap((one) => subresourceOperations(resource, one, typeOf)),
  ];
}

/** The paths of a document, each with its own parameters and what can be done there. */
export function pathsOf(
  operations: readonly Operation[],
  how: { shared(path: string): JsonValue; print(operation: Operation): JsonObject },
): JsonObject {
  const paths: Record<string, Record<string, JsonValue>> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= { parameters: how.shared(operation.path) });
    path[operation.method] = how.print(operation);
  }
  return paths;
}

const writeParameters = ["dryRun", "fieldManager", "fieldValidation"];
const deleteParameters = ["dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"];
const listParameters = [
  "allowWatchBookmarks",
  "continue",
  "fieldSelector",
  "labelSelector",
  "limit",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "timeoutSeconds",
  "watch",
];
const statusType = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
const deleteOptionsType = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";

function collectionOperations(resource: ServedResource): readonly Operation[] {
  const { kind, verbs, typeName } = resource;
  const make = maker(resource, "", resource);
  const path = collectionPath(resource, resource.namespaced);
  const listType = `${typeName}List`;
  const list = { action: "list", description: `list or watch objects of kind ${kind}`, answerType: listType };
  return [
    ...(verbs.includes("list")
      ? [make({ ...list, path, method: "get", verb: "list", parameters: listParameters })]
      : []),
    ...(verbs.includes("list") && resource.namespaced
      ? [
          {
            ...make({
              ...list,
              path: collectionPath(resource, false),
              method: "get",
              verb: "list",
              parameters: listParameters,
            }),
            id: `list${groupId(resource)}${kind}ForAllNamespaces`,
          },
        ]
      : []),
    ...(verbs.includes("create")
      ? [
          make({
            path,
            method: "post",
            verb: "create",
            action: "post",
            description: `create ${article(kind)} ${kind}`,
            bodyType: typeName,
            answerType: typeName,
            parameters: writeParameters,
          }),
        ]
      : []),
    ...(verbs.includes("deletecollection")
      ? [
          {
            ...make({
              path,
              method: "delete",
              verb: "delete",
              action: "deletecollection",
              description: `delete collection of ${kind}`,
              bodyType: deleteOptionsType,
              answerType: statusType,
              parameters: [...deleteParameters, ...listParameters.slice(1, -1)].sort(),
            }),
            id: `delete${groupId(resource)}Collection${scopeId(resource)}${kind}`,
          },
        ]
      : []),
  ];
}

function itemOperations(
  resource: ServedResource,
  subresource: string,
  verbs: readonly string[],
  kind: GroupVersionKind,
  type: string,
): readonly Operation[] {
  const make = maker(resource, subresource, kind);
  const path = itemPath(resource, subresource);
  const what = subresource === "" ? "the specified" : `${subresource} of the specified`;
  const known: readonly (readonly [string, Made])[] = [
    [
      "get",
      {
        path,
        method: "get",
        verb: "read",
        action: "get",
        description: `read ${what} ${resource.kind}`,
        answerType: type,
      },
    ],
    [
      "update",
      {
        path,
        method: "put",
        verb: "replace",
        action: "put",
        description: `replace ${what} ${resource.kind}`,
        bodyType: type,
        answerType: type,
        parameters: writeParameters,
      },
    ],
    [
      "patch",
      {
        path,
        method: "patch",
        verb: "patch",
        action: "patch",
        description: `partially update ${what} ${resource.kind}`,
        bodyType: "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
        answerType: type,
        parameters: [...writeParameters, "force"],
      },
    ],
    [
      "delete",
      {
        path,
        method: "delete",
        verb: "delete",
        action: "delete",
        description: `delete ${article(resource.kind)} ${resource.kind}`,
        bodyType: deleteOptionsType,
        answerType: statusType,
        parameters: deleteParameters,
      },
    ],
  ];
  return known.flatMap(([verb, made]) => (verbs.includes(verb) ? [make(made)] : []));
}

/** Subresources that stream or connect are no operations on types; eviction and the like are created only. */
function subresourceOperations(
  resource: ServedResource,
  { name, kind, verbs }: Subresource,
  typeOf: (kind: GroupVersionKind) => string,
): readonly Operation[] {
  const type = typeOf(kind);
  if (type === "") {
    return [];
  }
  const create: Made = {
    path: itemPath(resource, name),
    method: "post",
    verb: "create",
    action: "post",
    description: `create ${name} of ${article(resource.kind)} ${resource.kind}`,
    bodyType: type,
    answerType: type,
    parameters: writeParameters,
  };
  return [
    ...itemOperations(resource, name, verbs, kind, type),
    ...(verbs.includes("create") ? [maker(resource, name, kind)(create)] : []),
  ];
}

interface Made {
  readonly path: string;
  readonly method: HttpMethod;
  readonly verb: string;
  readonly action: string;
  readonly description: string;
  readonly bodyType?: string;
  readonly answerType: string;
  readonly parameters?: readonly string[];
}

function maker(
  resource: ServedResource,
  subresource: string,
  kind: GroupVersionKind,
): (made: Made) => Operation {
  const suffix = `${subresource.slice(0, 1).toUpperCase()}${subresource.slice(1)}`;
  return ({ path, method, verb, action, description, bodyType = "", answerType, parameters = [] }) => ({
    path,
    method,
    id: `${verb}${groupId(resource)}${scopeId(resource)}${resource.kind}${suffix}`,
    action,
    description,
    tag: `${resource.group === "" ? "core" : (resource.group.split(".")[0] ?? "")}_${resource.version}`,
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    bodyType,
    answerType,
    parameters,
    isCreation: method === "post",
  });
}

function collectionPath({ group, version, resource }: ServedResource, namespaced: boolean): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? "/namespaces/{namespace}" : ""}/${resource}`;
}

function itemPath(resource: ServedResource, subresource: string): string {
  const path = `${collectionPath(resource, resource.namespaced)}/{name}`;
  return subresource === "" ? path : `${path}/${subresource}`;
}

function groupId({ group, version }: ServedResource): string {
  const words = (group === "" ? "core" : group.replace(/\.k8s\.io$/, "")).split(/[^a-zA-Z0-9]+/);
  return [...words, version].map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join("");
}

function scopeId(resource: ServedResource): string {
  return resource.namespaced ? "Namespaced" : "";
}

function article(kind: string): string {
  return /^[AEIOU]/.test(kind) ? "an" : "a";
}
