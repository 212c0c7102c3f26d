/** What the server tells of the resources it has: each document alone, and all at once. */

import { createHash } from "node:crypto";
import { apiVersionOf, type GroupVersionKind, groupOf, versionOf } from "@weir/kube";
import type { GroupVersionResources } from "../resources/builtin-resources.ts";
import type { ResourceRegistry, ServedGroup } from "../resources/resource-registry.ts";
import type { ServedResource, Subresource } from "../resources/served-resource.ts";
import { asksFor } from "./accept.ts";
import { jsonAnswer, type WholeAnswer } from "./answer.ts";

const discoveryGroup = "apidiscovery.k8s.io";

/** Answers /api, /apis and what lies right below; undefined for any other path. */
export function discover(registry: ResourceRegistry, path: string, accept: string): WholeAnswer | undefined {
  const [root, group, version, ...rest] = path.split("/").filter((part) => part !== "");
  if (rest.length > 0 || (root !== "api" && root !== "apis")) {
    return undefined;
  }
  if (group === undefined) {
    return (
      aggregated(registry, root, accept) ??
      jsonAnswer(200, root === "api" ? coreVersions : groupList(registry))
    );
  }
  if (root === "api") {
    return version === undefined ? resourcesOf(registry, "", group) : undefined;
  }
  return version === undefined ? groupAnswer(registry, group) : resourcesOf(registry, group, version);
}

const coreVersions = {
  kind: "APIVersions",
  versions: ["v1"],
  serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1" }],
};

/** All at once, in the version that the client knows; undefined where it does not ask for that. */
function aggregated(registry: ResourceRegistry, root: string, accept: string): WholeAnswer | undefined {
  const version = ["v2", "v2beta1"].find((one) =>
    asksFor(accept, { group: discoveryGroup, version: one, kind: "APIGroupDiscoveryList" }),
  );
  if (version === undefined) {
    return undefined;
  }
  const groups = registry.groups.filter((group) => (group.name === "") === (root === "api"));
  const body = {
    kind: "APIGroupDiscoveryList",
    apiVersion: `${discoveryGroup}/${version}`,
    metadata: {},
    items: groups.map(groupDiscovery),
  };
  // client-go looks at the content type to know which document it got.
  const contentType = `application/json;g=${discoveryGroup};v=${version};as=APIGroupDiscoveryList`;
  return { ...jsonAnswer(200, body), contentType };
}

function groupDiscovery(group: ServedGroup): object {
  return {
    metadata: group.name === "" ? {} : { name: group.name },
    versions: group.versions.map(({ version, resources }) => ({
      version,
      resources: resources.map(resourceDiscovery),
      freshness: "Current",
    })),
  };
}

function resourceDiscovery(resource: ServedResource): object {
  return {
    resource: resource.resource,
    responseKind: responseKind(resource, resource),
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...listIfAny("shortNames", resource.shortNames),
    ...listIfAny("categories", resource.categories),
    ...listIfAny(
      "subresources",
      [...resource.subresources.values()].map((one) => ({
        subresource: one.name,
        responseKind: responseKind(resource, one.kind),
        verbs: one.verbs,
      })),
    ),
  };
}

/** Group and version are left open where they are those of the resource. */
function responseKind(resource: ServedResource, { group, version, kind }: GroupVersionKind): object {
  const isOwn = group === resource.group && version === resource.version;
  return isOwn ? { group: "", version: "", kind } : { group, version, kind };
}

function groupList(registry: ResourceRegistry): object {
  const groups = registry.groups.filter((group) => group.name !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(groupBody) };
}

function groupAnswer(registry: ResourceRegistry, name: string): WholeAnswer | undefined {
  const group = name === "" ? undefined : registry.group(name);
  return group === undefined
    ? undefined
    : jsonAnswer(200, { kind: "APIGroup", apiVersion: "v1", ...groupBody(group) });
}

function groupBody({ name, versions }: ServedGroup): object {
  const list = versions.map(({ version }) => ({ groupVersion: apiVersionOf(name, version), version }));
  return { name, versions: list, preferredVersion: list[0] };
}

function resourcesOf(registry: ResourceRegistry, group: string, version: string): WholeAnswer | undefined {
  const found = registry.group(group)?.versions.find((one) => one.version === version);
  return found === undefined ? undefined : jsonAnswer(200, resourceList(found));
}

function resourceList({ group, version, resources }: GroupVersionResources): object {
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: apiVersionOf(group, version),
    resources: resources.flatMap((resource) => [
      resourceBody(resource),
      ...[...resource.subresources.values()].map((one) => subresourceBody(resource, one)),
    ]),
  };
}

function resourceBody(resource: ServedResource): object {
  return {
    name: resource.resource,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...listIfAny("shortNames", resource.shortNames),
    ...listIfAny("categories", resource.categories),
    ...(resource.verbs.includes("list") && resource.verbs.includes("create")
      ? { storageVersionHash: storageVersionHash(resource) }
      : {}),
  };
}

/** Kinds that the API server still keeps in an older version than it says. */
const keptAsBeta = new Set(["CustomResourceDefinition", "VolumeAttributesClass"]);

/** By this clients notice that objects are kept in another version: a digest, in the API server's form. */
function storageVersionHash({ storageVersion, kind }: ServedResource): string {
  const version = keptAsBeta.has(kind) ? "v1beta1" : versionOf(storageVersion);
  const named = `${groupOf(storageVersion)}/${version}/${kind}`;
  return createHash("sha256").update(named).digest().subarray(0, 8).toString("base64");
}

function subresourceBody(resource: ServedResource, { name, kind, verbs }: Subresource): object {
  const isOwn = kind.group === resource.group && kind.version === resource.version;
  return {
    name: `${resource.resource}/${name}`,
    singularName: "",
    namespaced: resource.namespaced,
    ...(isOwn ? {} : { group: kind.group, version: kind.version }),
    kind: kind.kind,
    verbs,
  };
}

function listIfAny(name: string, list: readonly unknown[]): object {
  return list.length === 0 ? {} : { [name]: list };
}
