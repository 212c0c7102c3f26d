/** The resources that Kubernetes itself brings, made from the shipped discovery documents. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { apiVersionOf, type GroupVersionKind, versionOf } from "../../kube/gvk.ts";
import type { ApiTypes } from "../schema/api-types.ts";
import { builtinColumns } from "../tables/cells.ts";
import type { TableColumns } from "../tables/table.ts";
import type { Tree } from "../tree.ts";
import type { BuiltinCodecs } from "./builtin-codec.ts";
import { conversionOf } from "./conversions.ts";
import type { KindRules } from "./kind-rules.ts";
import { builtinScale } from "./scale.ts";
import { bucketOf, type ServedResource, type Subresource } from "./served-resource.ts";

/** The resources of a group and version, in the order of discovery. */
export interface GroupVersionResources {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ServedResource[];
}

/** Makes all built-in resources. `rulesOf` gives the rules of a bucket, e.g. "deployments.apps". */
export function builtinResources(
  types: ApiTypes,
  codecs: BuiltinCodecs,
  rulesOf: (bucket: string) => KindRules,
): readonly GroupVersionResources[] {
  const made: GroupVersionResources[] = [];
  for (const { group, version, entries } of discovered(types)) {
    const make = (entry: JsonObject) => resourceOf(entry, { group, version }, types, codecs, rulesOf);
    made.push({ group, version, resources: entries.flatMap((entry) => make(entry) ?? []) });
  }
  return made;
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

function* discovered(types: ApiTypes): Generator<GroupVersion & { readonly entries: readonly JsonObject[] }> {
  for (const document of types.data.discovery) {
    for (const group of objectsOf(document["items"])) {
      const metadata = group["metadata"];
      const name = isJsonObject(metadata) ? textOf(metadata["name"]) : "";
      for (const version of objectsOf(group["versions"])) {
        yield { group: name, version: textOf(version["version"]), entries: objectsOf(version["resources"]) };
      }
    }
  }
}

function resourceOf(
  entry: JsonObject,
  at: GroupVersion,
  types: ApiTypes,
  codecs: BuiltinCodecs,
  rulesOf: (bucket: string) => KindRules,
): ServedResource | undefined {
  const gvk = kindOf(entry["responseKind"], at);
  const resource = textOf(entry["resource"]);
  const apiVersion = apiVersionOf(at.group, at.version);
  const { bucket, storageVersion, toStorage, fromStorage } = keptAs(at.group, resource, apiVersion);
  const typeName = types.nameOfKind(gvk.group, gvk.version, gvk.kind) ?? "";
  const codec = codecs.codec(typeName, apiVersion, gvk.kind);
  if (codec === undefined) {
    return undefined;
  }
  return {
    ...at,
    kind: gvk.kind,
    apiVersion,
    resource,
    listKind: `${gvk.kind}List`,
    singular: textOf(entry["singularResource"]),
    namespaced: entry["scope"] === "Namespaced",
    shortNames: textsOf(entry["shortNames"]),
    categories: textsOf(entry["categories"]),
    verbs: textsOf(entry["verbs"]),
    subresources: subresourcesOf(entry, at),
    scale: builtinScale,
    bucket,
    storageVersion,
    typeName,
    customSchema: undefined,
    columns: columnsOf(types, at, resource),
    custom: false,
    codec,
    rules: rulesOf(bucket),
    versions: {
      atomOf: (version) => codecs.ofKind(gvk.group, versionOf(version), gvk.kind)?.atom,
      convert: (object, version) => convert(object, version, gvk.group, resource),
    },
    toStorage,
    fromStorage,
  };
}

/** From any version of a kind to any other, over the one in which it is kept. */
function convert(object: Tree, version: string, group: string, resource: string): Tree {
  const from = typeof object["apiVersion"] === "string" ? object["apiVersion"] : version;
  if (from === version) {
    return object;
  }
  const stored = keptAs(group, resource, from).toStorage(structuredClone(object));
  return keptAs(group, resource, version).fromStorage(stored);
}

function keptAs(group: string, resource: string, apiVersion: string) {
  const conversion = conversionOf(group, resource, apiVersion);
  const same = (object: Tree): Tree => object;
  return {
    bucket: conversion?.bucket ?? bucketOf(group, resource),
    storageVersion: conversion?.storageVersion ?? apiVersion,
    toStorage: conversion?.toStorage ?? same,
    fromStorage: conversion?.fromStorage ?? same,
  };
}

/** The columns as the data file has them. Events are kept in the core group whatever the group they are served in. */
function columnsOf(types: ApiTypes, { group, version }: GroupVersion, resource: string): TableColumns {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const definitions = types.data.columns[`${root}/${resource}`] ?? [];
  return builtinColumns(group === "events.k8s.io" ? resource : bucketOf(group, resource), definitions);
}

function subresourcesOf(entry: JsonObject, at: GroupVersion): ReadonlyMap<string, Subresource> {
  const made = new Map<string, Subresource>();
  for (const one of objectsOf(entry["subresources"])) {
    const name = textOf(one["subresource"]);
    made.set(name, { name, kind: kindOf(one["responseKind"], at), verbs: textsOf(one["verbs"]) });
  }
  return made;
}

/** An empty group and version in discovery mean those of the resource. */
function kindOf(responseKind: JsonValue | undefined, at: GroupVersion): GroupVersionKind {
  const gvk = isJsonObject(responseKind) ? responseKind : {};
  const version = textOf(gvk["version"]);
  return version === ""
    ? { ...at, kind: textOf(gvk["kind"]) }
    : { group: textOf(gvk["group"]), version, kind: textOf(gvk["kind"]) };
}

function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item) => typeof item === "string") : [];
}
