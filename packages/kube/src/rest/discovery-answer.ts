import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { ApiResource } from "../api-resource.ts";

/** A group version whose discovery failed, and why. */
export interface DiscoveryFailure {
  readonly group: string;
  readonly version: string;
  readonly reason: string;
}

/** The resources of a server: groups in its order, and the versions of each group in order of preference. */
export interface Served {
  readonly resources: readonly ApiResource[];
  readonly failures: readonly DiscoveryFailure[];
}

/**
 * Reads an APIGroupDiscoveryList (apidiscovery.k8s.io v2 and v2beta1). If the server marks a version as
 * stale, because an aggregated API server is unavailable, only that version fails.
 */
export function readAggregated(list: JsonObject): Served {
  const versions = objectsIn(list["items"]).flatMap((group) => {
    const metadata = group["metadata"];
    const name = isJsonObject(metadata) ? (text(metadata["name"]) ?? "") : "";
    return objectsIn(group["versions"]).map((version) => ({ group: name, version }));
  });
  return {
    resources: versions.flatMap(({ group, version }) =>
      objectsIn(version["resources"]).flatMap((entry) =>
        aggregatedResource(group, text(version["version"]) ?? "", entry),
      ),
    ),
    failures: versions
      .filter(({ version }) => version["freshness"] === "Stale")
      .map(({ group, version }) => ({
        group,
        version: text(version["version"]) ?? "",
        reason: "the API server cannot reach it",
      })),
  };
}

/** Reads an APIResourceList, the older format: one group version. Omits subresources. */
export function readResourceList(list: JsonObject, group: string, version: string): readonly ApiResource[] {
  return objectsIn(list["resources"]).flatMap((entry) => {
    const resource = text(entry["name"]) ?? "";
    const kind = text(entry["kind"]) ?? "";
    if (resource === "" || kind === "" || resource.includes("/")) {
      return [];
    }
    return [
      {
        group,
        version,
        kind,
        resource,
        namespaced: entry["namespaced"] === true,
        verbs: textsIn(entry["verbs"]),
      },
    ];
  });
}

/** A group with its versions in order of preference. */
export interface GroupVersions {
  readonly group: string;
  readonly versions: readonly string[];
}

/** Reads an APIGroupList; the preferred version of a group comes first. */
export function readGroupList(list: JsonObject): readonly GroupVersions[] {
  return objectsIn(list["groups"]).map((group) => {
    const preferred = group["preferredVersion"];
    const first = isJsonObject(preferred) ? text(preferred["version"]) : undefined;
    const versions = objectsIn(group["versions"]).flatMap((version) => text(version["version"]) ?? []);
    return {
      group: text(group["name"]) ?? "",
      versions: [...new Set(first === undefined ? versions : [first, ...versions])],
    };
  });
}

/** Reads an APIVersions object, the versions of the core group. */
export function readCoreVersions(answer: JsonObject): GroupVersions {
  return { group: "", versions: textsIn(answer["versions"]) };
}

function aggregatedResource(group: string, version: string, entry: JsonObject): readonly ApiResource[] {
  const resource = text(entry["resource"]) ?? "";
  const response = entry["responseKind"];
  const kind = isJsonObject(response) ? (text(response["kind"]) ?? "") : "";
  if (resource === "" || kind === "") {
    return [];
  }
  return [
    {
      group,
      version,
      kind,
      resource,
      namespaced: entry["scope"] === "Namespaced",
      verbs: textsIn(entry["verbs"]),
    },
  ];
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
