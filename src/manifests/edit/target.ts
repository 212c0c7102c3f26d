import { EditError, type Mapping, type Value } from "@weir/yaml/ruamel-yaml";
import { fieldOf, isEmpty, lineOf, requireField, requireMapping, stringOf } from "./fields.ts";

/** The manifest to edit. The case of the kind is ignored, and a missing namespace in the file is read as `default`. */
export interface Target {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * The matching manifests in a document, in order: the document itself, or for a kind that ends in `List`, its items.
 *
 * @throws EditError if a document or an item isn't a manifest
 */
export function* matchingManifests(document: Value, target: Target): Generator<Mapping> {
  for (const value of manifestsIn(document)) {
    const manifest = requireMapping(value, "a manifest");
    if (matches(manifest, target)) {
      yield manifest;
    }
  }
}

function manifestsIn(document: Value): readonly Value[] {
  if (document.kind === "scalar" && document.type === "null") {
    return [];
  }
  const root = requireMapping(document, "a document");
  const kind = stringOf(requireField(root, "kind"));
  if (kind === undefined) {
    throw new EditError('the field "kind" is not a string', lineOf(root));
  }
  return kind.endsWith("List") ? itemsOf(requireField(root, "items")) : [root];
}

function itemsOf(items: Value): readonly Value[] {
  if (items.kind === "sequence") {
    return items.items;
  }
  if (!isEmpty(items)) {
    throw new EditError('the field "items" is not a list', lineOf(items));
  }
  return [];
}

function matches(manifest: Mapping, target: Target): boolean {
  if (kindOf(manifest)?.toLowerCase() !== target.kind.toLowerCase()) {
    return false;
  }
  const found = fieldOf(manifest, "metadata");
  if (found === undefined) {
    return false;
  }
  const metadata = requireMapping(found, 'the field "metadata"');
  const namespace = fieldOf(metadata, "namespace");
  const isThere = namespace === undefined ? "default" : stringOf(namespace);
  return isThere === target.namespace && stringOf(fieldOf(metadata, "name")) === target.name;
}

/** Undefined if there's none; bytes are a kind that never matches. */
function kindOf(manifest: Mapping): string | undefined {
  const kind = fieldOf(manifest, "kind");
  const isComparable = kind === undefined || (kind.kind === "scalar" && kind.type === "binary");
  const text = stringOf(kind);
  if (!isComparable && text === undefined) {
    throw new EditError('the field "kind" is not a string', lineOf(manifest));
  }
  return text;
}
