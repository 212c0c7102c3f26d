/**
 * A snapshot: what a comparison needs to know about a cluster, as a file. It contains what fluxd has applied, the
 * definitions of kinds, and the names of namespaces. A list of objects from kubectl can be read as well.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, messageOf } from "@weir/base";
import { markLabel } from "@weir/flux";
import { decodeSyncSettings, encodeSyncSettings, type SyncSettings } from "@weir/flux/api";
import type { KubeObject } from "@weir/kube";
import { checkSource, decodeYaml, toKubeJson } from "@weir/yaml/go-yaml";
import { ComparisonError } from "./errors.ts";
import { isDefinition, isNamespace } from "./object-roles.ts";

/** What's known about a cluster. */
export interface Snapshot {
  /** Those of the fluxd in the cluster; undefined if they aren't known. */
  readonly settings: SyncSettings | undefined;
  /** The salt of the hashes in Secrets; undefined if Secrets have their own values. */
  readonly salt: string | undefined;
  readonly objects: readonly KubeObject[];
}

const snapshotKind = { apiVersion: "weir.dev/v1", kind: "ClusterSnapshot" } as const;

/** The text of a snapshot file, in an order that makes two snapshots comparable. */
export function printSnapshot({ settings, salt, objects }: Snapshot): string {
  const value = {
    ...snapshotKind,
    settings: settings === undefined ? null : encodeSyncSettings(settings),
    salt: salt ?? null,
    items: objects,
  };
  return `${JSON.stringify(value, undefined, 1)}\n`;
}

/** Reads a snapshot, or objects as kubectl prints them. Throws ComparisonError. */
export function parseSnapshot(text: string, file: string): Snapshot {
  const documents = readDocuments(text, file);
  const [first] = documents;
  const fields: JsonObject = isJsonObject(first) ? first : {};
  const isOurs = fields["kind"] === snapshotKind.kind && fields["apiVersion"] === snapshotKind.apiVersion;
  const settings = fields["settings"];
  const salt = fields["salt"];
  const objects = (isOurs ? itemsOf(fields) : documents.flatMap(objectsIn)).map(withoutServerFields);
  if (objects.length === 0) {
    throw new ComparisonError(`${file} contains no objects`, [snapshotAdvice]);
  }
  return {
    settings: isOurs && isJsonObject(settings) ? decodeSyncSettings(settings) : undefined,
    salt: isOurs && typeof salt === "string" ? salt : undefined,
    objects,
  };
}

/** True for what a snapshot keeps of a cluster: definitions, and what fluxd has applied. */
export function belongsInSnapshot(object: KubeObject): boolean {
  return isDefinition(object) || isNamespace(object) || object.metadata.labels?.[markLabel] !== undefined;
}

/** An object as somebody would create it again: without its status and what the API server added to its metadata. */
export function withoutServerFields(object: KubeObject): KubeObject {
  const { apiVersion, kind } = object;
  const others = Object.entries(object).filter(([name]) => name !== "status");
  const metadata = Object.entries(object.metadata).filter(([name]) => !serverFields.has(name));
  return { ...Object.fromEntries(others), apiVersion, kind, metadata: Object.fromEntries(metadata) };
}

const serverFields = new Set([
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
]);

const snapshotAdvice =
  "Make one with `fluxctl diff --save-snapshot=FILE`, or with `kubectl get -o yaml KINDS --all-namespaces`.";

function readDocuments(text: string, file: string): readonly JsonValue[] {
  try {
    return text.trimStart().startsWith("{")
      ? [JSON.parse(text) as JsonValue]
      : [...decodeYaml(checkSource(text))].map(({ value }) => toKubeJson(value));
  } catch (error) {
    throw new ComparisonError(`cannot read ${file}: ${messageOf(error)}`, [snapshotAdvice], { cause: error });
  }
}

function objectsIn(document: JsonValue): readonly KubeObject[] {
  const kind = isJsonObject(document) ? document["kind"] : undefined;
  const isList = isJsonObject(document) && typeof kind === "string" && kind.endsWith("List");
  return isList ? itemsOf(document) : [document].filter(isObject);
}

function itemsOf(list: JsonObject): readonly KubeObject[] {
  const items = list["items"];
  return isJsonArray(items) ? items.filter(isObject) : [];
}

function isObject(value: unknown): value is KubeObject & JsonObject {
  if (!isJsonObject(value)) {
    return false;
  }
  const { apiVersion, kind, metadata } = value;
  return typeof apiVersion === "string" && typeof kind === "string" && isJsonObject(metadata);
}
