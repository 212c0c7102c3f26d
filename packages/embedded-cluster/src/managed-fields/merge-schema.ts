/**
 * What field ownership needs to know of a type: which lists are sets or maps with keys, which values are owned
 * as a whole. Made from OpenAPI schemas, those of built-in kinds and of custom resources alike.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { TreeNode } from "../tree.ts";

/** The forms that a value of a type may take; most types have one, free-form values have all three. */
export interface Atom {
  readonly scalar?: "string" | "numeric" | "boolean" | "untyped";
  readonly list?: ListAtom;
  readonly map?: MapAtom;
}

/** A list: atomic, or a set (no keys), or a map whose items are told apart by key fields. */
export interface ListAtom {
  readonly atomic: boolean;
  readonly keys: readonly string[];
  items(): Atom;
  /** The value that a key field has where an item leaves it out. */
  keyDefault(key: string): TreeNode | undefined;
}

/** An object: atomic, or owned field by field. */
export interface MapAtom {
  readonly atomic: boolean;
  /** The declared field, undefined where there is none of that name. */
  field(name: string): Atom | undefined;
  /** What undeclared fields hold; undefined where they are not allowed. */
  values(): Atom | undefined;
}

/** Finds the schema that a $ref names. */
export type ResolveRef = (ref: string) => JsonObject | undefined;

/** Makes the atoms of schemas, each once. */
export class MergeSchemas {
  readonly #resolve: ResolveRef;
  readonly #made = new Map<JsonObject, Atom>();

  constructor(resolve: ResolveRef) {
    this.#resolve = resolve;
  }

  /** `preserve`: fields that are not declared are kept, as x-kubernetes-preserve-unknown-fields says. */
  atom(schema: JsonObject, preserve = false): Atom {
    const found = this.#made.get(schema);
    if (found !== undefined) {
      return found;
    }
    const made = this.#make(schema, preserve || schema["x-kubernetes-preserve-unknown-fields"] === true);
    this.#made.set(schema, made);
    return made;
  }

  #make(schema: JsonObject, preserve: boolean): Atom {
    const ref = refOf(schema);
    if (ref !== undefined) {
      return this.#referred(ref, schema, preserve);
    }
    switch (schema["type"]) {
      case "object":
        return { map: this.#map(schema, preserve) };
      case "array":
        return { list: this.#list(schema, preserve) };
      case undefined:
        return hasOneOf(schema) || schema["x-kubernetes-int-or-string"] === true
          ? { scalar: "untyped" }
          : { scalar: "untyped", list: this.#list(schema, preserve), map: this.#map(schema, preserve) };
      default:
        return { scalar: scalarOf(schema) };
    }
  }

  #referred(ref: string, schema: JsonObject, preserve: boolean): Atom {
    const target = this.#resolve(ref);
    if (target === undefined) {
      return deducedAtom;
    }
    if (ref.endsWith(".runtime.RawExtension")) {
      return untypedAtom;
    }
    const mapType = schema["x-kubernetes-map-type"];
    return mapType === undefined
      ? this.atom(target, preserve)
      : this.#make({ ...target, "x-kubernetes-map-type": mapType }, preserve);
  }

  #map(schema: JsonObject, preserve: boolean): MapAtom {
    const properties = schema["properties"];
    const declared = isJsonObject(properties) ? properties : {};
    const additional = schema["additionalProperties"];
    return {
      atomic: schema["x-kubernetes-map-type"] === "atomic",
      field: (name) => {
        const field = Object.hasOwn(declared, name) ? declared[name] : undefined;
        return isJsonObject(field) ? this.atom(field, preserve) : undefined;
      },
      values: () => {
        if (isJsonObject(additional)) {
          return this.atom(additional, preserve);
        }
        const isOpen = additional === undefined && (preserve || Object.keys(declared).length === 0);
        return isOpen || additional === true ? deducedAtom : undefined;
      },
    };
  }

  #list(schema: JsonObject, preserve: boolean): ListAtom {
    const { atomic, keys } = listTypeOf(schema);
    const items = schema["items"];
    const itemSchema = isJsonObject(items) ? items : undefined;
    return {
      atomic,
      keys,
      items: () => (itemSchema === undefined ? untypedAtom : this.atom(itemSchema, preserve)),
      keyDefault: (key) => this.#fieldDefault(itemSchema, key),
    };
  }

  #fieldDefault(schema: JsonObject | undefined, field: string): TreeNode | undefined {
    const ref = schema === undefined ? undefined : refOf(schema);
    const target = ref === undefined ? schema : this.#resolve(ref);
    const properties = target?.["properties"];
    const property = isJsonObject(properties) ? properties[field] : undefined;
    const value = isJsonObject(property) ? property["default"] : undefined;
    return typeof value === "object" ? undefined : value;
  }
}

/** Anything, owned as a whole. */
const untypedAtom: Atom = {
  scalar: "untyped",
  list: { atomic: true, keys: [], items: () => untypedAtom, keyDefault: () => undefined },
  map: { atomic: true, field: () => undefined, values: () => untypedAtom },
};

/** Anything: objects owned field by field, lists as a whole. */
export const deducedAtom: Atom = {
  scalar: "untyped",
  list: { atomic: true, keys: [], items: () => untypedAtom, keyDefault: () => undefined },
  map: { atomic: false, field: () => undefined, values: () => deducedAtom },
};

/** The one form of an atom that a value takes. */
export function formOf(atom: Atom, value: TreeNode | undefined): Atom {
  if (value === undefined || value === null) {
    return atom;
  }
  if (Array.isArray(value)) {
    return atom.list === undefined ? atom : { list: atom.list };
  }
  if (typeof value === "object") {
    return atom.map === undefined ? atom : { map: atom.map };
  }
  return atom.scalar === undefined ? atom : { scalar: atom.scalar };
}

function refOf(schema: JsonObject): string | undefined {
  const direct = schema["$ref"];
  if (typeof direct === "string") {
    return direct;
  }
  const all = schema["allOf"];
  const only: JsonValue | undefined = isJsonArray(all) && all.length === 1 ? all[0] : undefined;
  const ref = isJsonObject(only) ? only["$ref"] : undefined;
  return typeof ref === "string" ? ref : undefined;
}

function hasOneOf(schema: JsonObject): boolean {
  return isJsonArray(schema["oneOf"]);
}

function scalarOf(schema: JsonObject): "string" | "numeric" | "boolean" | "untyped" {
  switch (schema["type"]) {
    case "integer":
    case "number":
      return "numeric";
    case "boolean":
      return "boolean";
    case "string":
      return schema["format"] === undefined || schema["format"] === "byte" ? "string" : "untyped";
    default:
      return "untyped";
  }
}

/** The list type, or what the older patch strategy says in its place. */
function listTypeOf(schema: JsonObject): { atomic: boolean; keys: readonly string[] } {
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return { atomic: false, keys: [] };
    case "map":
      return { atomic: false, keys: textsOf(schema["x-kubernetes-list-map-keys"]) };
    case undefined: {
      const strategy = schema["x-kubernetes-patch-strategy"];
      const isMerge = strategy === "merge" || strategy === "merge,retainKeys";
      const key = schema["x-kubernetes-patch-merge-key"];
      return { atomic: !isMerge, keys: isMerge && typeof key === "string" ? [key] : [] };
    }
    default:
      return { atomic: true, keys: [] };
  }
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item) => typeof item === "string") : [];
}
