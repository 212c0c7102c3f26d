/** Results of verbs as answers, in the form that the client asks for. */
import type { ServedResource } from "../resources/served-resource.ts";
import { badRequestError, notAcceptableError } from "../status-errors.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import { type IncludeObject, partialMetadata, tableBody, tableRow } from "../tables/table.ts";
import { isTree, type Tree } from "../tree.ts";
import type { Page } from "../verbs/list.ts";
import type { EncodeObject } from "../verbs/watch.ts";
import type { Wanted } from "./accept.ts";
import { jsonAnswer, jsonType, type WholeAnswer, yamlType } from "./answer.ts";

/** How the results of a resource are to be written. */
export interface Rendering {
  readonly resource: ServedResource;
  readonly wanted: Wanted;
  readonly include: IncludeObject;
  readonly now: number;
}

/** Reads the form that a request asks for. Throws KubeApiError (400). */
export function renderingOf(query: URLSearchParams, asked: Omit<Rendering, "include">): Rendering {
  const include = query.get("includeObject") ?? "";
  if (asked.wanted.form === "table" && !["", "Metadata", "Object", "None"].includes(include)) {
    throw badRequestError(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(include)}: must be 'Metadata', 'Object', 'None', or empty`,
    );
  }
  return { ...asked, include: include === "Object" || include === "None" ? include : "Metadata" };
}

/** One object, in the version of the resource. */
export async function renderObject(rendering: Rendering, code: number, object: Tree): Promise<WholeAnswer> {
  return encode(rendering.wanted.encoding, code, inForm(rendering, object));
}

/** A page of objects. */
export async function renderList(rendering: Rendering, page: Page): Promise<WholeAnswer> {
  const { resource, wanted } = rendering;
  const metadata = {
    resourceVersion: String(page.revision),
    // Lists of custom resources always speak of their next page.
    ...(page.continueToken === "" && !(resource.custom && wanted.form === "object")
      ? {}
      : { continue: page.continueToken }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  if (wanted.form === "object" && wanted.encoding === jsonType) {
    return wholeList(resource, metadata, page.items);
  }
  const objects = page.items.map((item) => resource.fromStorage(treeOf(item)));
  return encode(wanted.encoding, 200, listBody(rendering, metadata, objects));
}

/** Writes an object into events of a watch. */
export function eventEncoder(rendering: Rendering): EncodeObject {
  let headers = rendering.resource.columns.definitions;
  return (object) => {
    if (rendering.wanted.form === "object" && isAsKept(rendering.resource, object)) {
      return [object.bytes];
    }
    const tree = rendering.resource.fromStorage(treeOf(object));
    const body = JSON.stringify(inForm(rendering, tree, headers));
    headers = [];
    return [body];
  };
}

/** The object of a bookmark: nothing but a resource version. */
export function bookmarkEncoder({
  resource,
  wanted,
}: Rendering): (revision: number, isInitialEnd: boolean) => string {
  return (revision, isInitialEnd) => {
    const metadata = {
      resourceVersion: String(revision),
      ...(isInitialEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {}),
    };
    const object = { kind: resource.kind, apiVersion: resource.apiVersion, metadata };
    switch (wanted.form) {
      case "object":
        return JSON.stringify(object);
      case "metadata":
        return JSON.stringify(partialMetadata(object, wanted.metaVersion));
      case "table": {
        const cells = resource.columns.definitions.map(() => "");
        const row = { cells, object: partialMetadata(object, wanted.metaVersion) };
        const list = { resourceVersion: String(revision) };
        return JSON.stringify(
          tableBody({ metadata: list, definitions: [], rows: [row] }, wanted.metaVersion),
        );
      }
    }
  };
}

/** A document as JSON or YAML. */
export async function encode(encoding: Wanted["encoding"], code: number, body: object): Promise<WholeAnswer> {
  if (encoding === jsonType) {
    return jsonAnswer(code, body);
  }
  const { stringify } = await import("yaml");
  const text = stringify(body, { aliasDuplicateObjects: false, sortMapEntries: true });
  return { kind: "whole", code, contentType: yamlType, chunks: [text] };
}

/** The bytes of the objects as they are kept: nothing is decoded or copied. */
function wholeList(resource: ServedResource, metadata: object, items: readonly StoredObject[]): WholeAnswer {
  const head = { kind: resource.listKind, apiVersion: resource.apiVersion, metadata };
  const chunks: (Uint8Array | string)[] = [`${JSON.stringify(head).slice(0, -1)},"items":[`];
  for (const [index, item] of items.entries()) {
    if (index > 0) {
      chunks.push(",");
    }
    if (!isAsKept(resource, item)) {
      chunks.push(JSON.stringify(withoutType(resource, resource.fromStorage(treeOf(item)))));
    } else if (resource.custom || item.afterType === 0) {
      chunks.push(item.bytes);
    } else {
      chunks.push("{", item.bytes.subarray(item.afterType));
    }
  }
  chunks.push("]}\n");
  return { kind: "whole", code: 200, contentType: jsonType, chunks };
}

/** In lists of built-in kinds the items do not say what they are: the list does. */
function withoutType(resource: ServedResource, object: Tree): Tree {
  if (resource.custom) {
    return object;
  }
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== "kind" && key !== "apiVersion"));
}

function isAsKept(resource: ServedResource, object: StoredObject): boolean {
  return object.apiVersion === resource.apiVersion;
}

function inForm(
  rendering: Rendering,
  object: Tree,
  headers = rendering.resource.columns.definitions,
): object {
  const { wanted } = rendering;
  switch (wanted.form) {
    case "object":
      return object;
    case "metadata":
      return partialMetadata(object, wanted.metaVersion);
    case "table":
      return tableBody(
        { metadata: versionOf(object), definitions: headers, rows: [rowOf(rendering, object)] },
        wanted.metaVersion,
      );
  }
}

function listBody(rendering: Rendering, metadata: object, objects: readonly Tree[]): object {
  const { resource, wanted } = rendering;
  switch (wanted.form) {
    case "object":
      return {
        kind: resource.listKind,
        apiVersion: resource.apiVersion,
        metadata,
        items: objects.map((object) => withoutType(resource, object)),
      };
    case "metadata":
      return {
        kind: "PartialObjectMetadataList",
        apiVersion: `meta.k8s.io/${wanted.metaVersion}`,
        metadata,
        items: objects.map((object) => partialMetadata(object, wanted.metaVersion)),
      };
    case "table": {
      const rows = objects.map((object) => rowOf(rendering, object));
      return tableBody({ metadata, definitions: resource.columns.definitions, rows }, wanted.metaVersion);
    }
  }
}

function rowOf({ resource, now, include, wanted }: Rendering, object: Tree): object {
  return tableRow(object, { columns: resource.columns, now, include, version: wanted.metaVersion });
}

function versionOf(object: Tree): object {
  const metadata = object["metadata"];
  return isTree(metadata) && typeof metadata["resourceVersion"] === "string"
    ? { resourceVersion: metadata["resourceVersion"] }
    : {};
}

/** A watch is always a stream of JSON. Throws KubeApiError (406) where YAML is asked. */
export function requireJson({ encoding }: Wanted): void {
  if (encoding !== jsonType) {
    throw notAcceptableError([jsonType]);
  }
}
