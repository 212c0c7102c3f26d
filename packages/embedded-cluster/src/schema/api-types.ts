/** The types of Kubernetes' built-in kinds, resolved from the shipped data: what a decoder needs of them. */
import { isJsonObject, type JsonObject } from "@weir/base";
import type { ApiData, FieldData } from "./api-data-format.ts";
import { readDataFile } from "./data-file.ts";

/** What a value of a field looks like in JSON; `go` is what the API server's errors call it. */
export type Shape =
  | { readonly kind: "string" | "bool" | "int32" | "int64" | "float" | "bytes"; readonly go: string }
  | { readonly kind: "list"; readonly go: string; readonly items: Shape }
  | { readonly kind: "map"; readonly go: string; readonly values: Shape }
  | { readonly kind: "struct"; readonly go: string; readonly type: ApiType }
  | { readonly kind: "special"; readonly go: string };

/** One field of a type. */
export interface ApiField {
  readonly name: string;
  readonly shape: Shape;
  /** Unset is different from zero. */
  readonly pointer: boolean;
  /** Left out where it is empty: nil, zero, "" or without items. A struct is never empty. */
  readonly omitEmpty: boolean;
  /** A struct that is left out where all of it is zero. */
  readonly omitZero: boolean;
  /** Its OpenAPI v3 schema without the description. */
  readonly schema: JsonObject;
  /** The way to it in protobuf, e.g. "2.5"; "" where it is not part of the message. */
  readonly proto: string;
}

/** A struct type. */
export interface ApiType {
  /** Its OpenAPI name, e.g. "io.k8s.api.apps.v1.Deployment". */
  readonly name: string;
  /** Its Go name without the package, e.g. "Deployment". */
  readonly goName: string;
  /** The keywords of its OpenAPI v3 schema but for properties and descriptions. */
  readonly schema: JsonObject;
  /** In the order in which the API server writes them. */
  readonly fields: readonly ApiField[];
  field(name: string): ApiField | undefined;
}

/** All built-in types, made when they are asked for. */
export class ApiTypes {
  readonly data: ApiData;
  readonly #types = new Map<string, ApiType>();
  #kinds: ReadonlyMap<string, string> | undefined;

  constructor(data: ApiData) {
    this.data = data;
  }

  /** The type with that OpenAPI name, or undefined where there is none with fields. */
  type(name: string): ApiType | undefined {
    const data = Object.hasOwn(this.data.types, name) ? this.data.types[name] : undefined;
    if (data === undefined || !Object.hasOwn(data, "fields") || data.fields.length === 0) {
      return undefined;
    }
    const made = this.#types.get(name) ?? this.#make(name);
    this.#types.set(name, made);
    return made;
  }

  /** The OpenAPI name of a kind's type; undefined where the kind is not built in. */
  nameOfKind(group: string, version: string, kind: string): string | undefined {
    this.#kinds ??= this.#indexKinds();
    return this.#kinds.get(`${group}/${version}/${kind}`);
  }

  /** The type of a kind; undefined where the kind is not built in. */
  ofKind(group: string, version: string, kind: string): ApiType | undefined {
    const name = this.nameOfKind(group, version, kind);
    return name === undefined ? undefined : this.type(name);
  }

  /** Resolves a Go type with full package names, e.g. "[]io.k8s.api.core.v1.Container". */
  shape(goType: string): Shape {
    const go = shortName(goType);
    const name = goType.replace(/^\*/, "");
    if (name.startsWith("[]")) {
      return name === "[]byte"
        ? { kind: "bytes", go }
        : { kind: "list", go, items: this.shape(name.slice(2)) };
    }
    if (name.startsWith("map[")) {
      return { kind: "map", go, values: this.shape(name.slice(name.indexOf("]") + 1)) };
    }
    return this.#named(name, go);
  }

  #named(name: string, go: string): Shape {
    const scalar = scalars.get(name);
    if (scalar !== undefined) {
      return { kind: scalar, go };
    }
    const type = this.type(name);
    if (type !== undefined) {
      return { kind: "struct", go, type };
    }
    const meaning = this.data.named[name];
    return meaning === undefined ? { kind: "special", go } : { ...this.shape(meaning), go };
  }

  #make(name: string): ApiType {
    const { fields: data = [], ...schema } = this.data.types[name] ?? {};
    const byName = new Map<string, ApiField>();
    const fields: ApiField[] = [];
    const type: ApiType = {
      name,
      goName: name.slice(name.lastIndexOf(".") + 1),
      schema: schema as JsonObject,
      fields,
      field: (field) => byName.get(field),
    };
    // Known before its fields are resolved: a type may hold itself.
    this.#types.set(name, type);
    for (const one of data) {
      const field = this.#field(one);
      fields.push(field);
      byName.set(field.name, field);
    }
    return type;
  }

  #field([name, goType, flags, schema, proto]: FieldData): ApiField {
    return {
      name,
      shape: this.shape(goType),
      pointer: goType.startsWith("*"),
      omitEmpty: flags.includes("e"),
      omitZero: flags.includes("z"),
      schema,
      proto,
    };
  }

  #indexKinds(): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    for (const [name, data] of Object.entries(this.data.types)) {
      const kinds = data["x-kubernetes-group-version-kind"];
      for (const gvk of Array.isArray(kinds) ? kinds.filter(isJsonObject) : []) {
        names.set(`${wordOf(gvk, "group")}/${wordOf(gvk, "version")}/${wordOf(gvk, "kind")}`, name);
      }
    }
    return names;
  }
}

let loaded: ApiTypes | undefined;

/** The shipped types. The first call reads them, which takes a few milliseconds. */
export function loadApiTypes(): ApiTypes {
  loaded ??= new ApiTypes(readDataFile("api-data"));
  return loaded;
}

function wordOf(gvk: JsonObject, field: string): string {
  const word = gvk[field];
  return typeof word === "string" ? word : "";
}

const scalars = new Map<string, "string" | "bool" | "int32" | "int64" | "float">([
  ["string", "string"],
  ["bool", "bool"],
  ["int32", "int32"],
  ["int64", "int64"],
  ["int", "int64"],
  ["float64", "float"],
]);

/** "[]v1.Container" of "[]io.k8s.api.core.v1.Container": packages by their last word, as Go prints types. */
function shortName(goType: string): string {
  return goType
    .replace(/^\*/, "")
    .replace(/[\w-]+(?:\.[\w-]+)+/g, (name) => name.split(".").slice(-2).join("."));
}
