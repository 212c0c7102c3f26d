/** The resources that Kubernetes itself brings, made from the shipped discovery documents. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { apiVersionOf, type GroupVersionKind, versionOf } from "@weir/kube";
import type { Kind } from "../kinds/kind.ts";
import type { ApiTypes } from "../schema/api-types.ts";
import { tableColumns } from "../tables/cells.ts";
import type { TableColumns } from "../tables/table.ts";
import type { Tree } from "../tree.ts";
import type { BuiltinCodecs } from "./builtin-codec.ts";
import { conversionOf } from "./conversions.ts";
import { builtinScale } from "./scale.ts";
import { bucketOf, type ServedResource, type Subresource } from "./served-resource.ts";

type KindOf = (bucket: string) => Kind;

/** The resources of a group and version, in the order of discovery. */
export interface GroupVersionResources {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ServedResource[];
}

/** Makes all built-in resources. `kindOf` tells what is known of the kind of a bucket, e.g. "deployments.apps". */
export function builtinResources(
  types: ApiTypes,
  codecs: BuiltinCodecs,
  kindOf: KindOf,
): readonly GroupVersionResources[] {
  const made: GroupVersionResources[] = [];
  for (const { group, version, entries } of discovered(types)) {
    const make = (entry: JsonObject) => resourceOf(entry, { group, version }, types, codecs, kindOf);
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
  kindOf: KindOf,
): ServedResource | undefined {
  const gvk = gvkOf(entry["responseKind"], at);
  const resource = textOf(entry["resource"]);
  const apiVersion = apiVersionOf(at.group, at.version);
  const { bucket, storageVersion, toStorage, fromStorage } = keptAs(at.group, resource, apiVersion);
  const typeName = types.nameOfKind(gvk.group, gvk.version, gvk.kind) ?? "";
  const codec = codecs.codec(typeName, apiVersion, gvk.kind);
  if (codec === undefined) {
    return undefined;
  }
  const kind = kindOf(bucket);
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
    columns: tableColumns(columnsOf(types, at, resource), kind.cells),
    custom: false,
    codec,
    rules: kind.rules ?? {},
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

/** The columns of a collection, as the data file has them. */
function columnsOf(
  types: ApiTypes,
  { group, version }: GroupVersion,
  resource: string,
): TableColumns["definitions"] {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return types.data.columns[`${root}/${resource}`] ?? [];
}

function subresourcesOf(entry: JsonObject, at: GroupVersion): ReadonlyMap<string, Subresource> {
  const made = new Map<string, Subresource>();
  for (const one of objectsOf(entry["subresources"])) {
    const name = textOf(one["subresource"]);
    made.set(name, { name, kind: gvkOf(one["responseKind"], at), verbs: textsOf(one["verbs"]) });
  }
  return made;
}

/** An empty group and version in discovery mean those of the resource. */
function gvkOf(responseKind: JsonValue | undefined, at: GroupVersion): GroupVersionKind {
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
