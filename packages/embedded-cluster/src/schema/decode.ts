/**
 * Decodes objects of built-in kinds as the API server does: into typed fields and out again. Unknown fields
 * fall away, wrong types are refused, and what comes out is in the one form in which the server keeps objects:
 * empty fields left out or written out as the Go type says, times in UTC, quantities canonical.
 */
import { put, type Tree, type TreeNode } from "../tree.ts";
import type { ApiField, ApiType, Shape } from "./api-types.ts";
import { readSpecial, zeroSpecial } from "./special-values.ts";

/** An object that does not fit its type; the message is that of the API server's decoder. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

/** A decoded object, and the fields of the input that its type does not have. */
export interface Decoded {
  readonly object: Tree;
  /** Paths, e.g. "spec.template.spec.containers[0].imag". */
  readonly unknown: readonly string[];
}

/** Decodes an object. Throws DecodeError for the first value of a wrong type; `value` is not changed. */
export function decodeTyped(type: ApiType, value: Tree): Decoded {
  const decoder = new Decoder();
  const object = decoder.struct(type, value);
  if (decoder.mismatch !== undefined) {
    throw new DecodeError(decoder.mismatch);
  }
  return { object, unknown: decoder.unknown };
}

/** What the API server writes for a struct that was never set: mostly {}. */
export function zeroStruct(type: ApiType): Tree {
  const zero: Tree = {};
  for (const field of type.fields) {
    writeUnset(zero, field);
  }
  return zero;
}

class Decoder {
  readonly unknown: string[] = [];
  /** The first value of a wrong type. Decoding goes on: a value that cannot be read at all comes first. */
  mismatch: string | undefined;
  /** The way to the current value: fields and map keys as texts, list places as numbers. */
  readonly #path: (string | number)[] = [];
  /** The fields on that way alone, and the structs that have them: what a type error names. */
  readonly #fields: string[] = [];
  readonly #structs: string[] = [];

  struct(type: ApiType, tree: Tree): Tree {
    const read = new Map<string, TreeNode | undefined>();
    for (const key of Object.keys(tree)) {
      const field = type.field(key);
      if (field === undefined) {
        this.#addUnknown(key);
      } else {
        read.set(key, this.#field(type, field, tree[key] ?? null));
      }
    }
    const object: Tree = {};
    for (const field of type.fields) {
      writeField(object, field, read.get(field.name));
    }
    return object;
  }

  #field(type: ApiType, field: ApiField, value: TreeNode): TreeNode | undefined {
    this.#path.push(field.name);
    this.#fields.push(field.name);
    this.#structs.push(type.goName);
    const read = value === null ? undefined : this.#value(field.shape, value);
    this.#path.pop();
    this.#fields.pop();
    this.#structs.pop();
    return read;
  }

  #value(shape: Shape, value: TreeNode): TreeNode | undefined {
    switch (shape.kind) {
      case "string":
        return typeof value === "string" ? value : this.#mismatch(value, shape.go);
      case "bool":
        return typeof value === "boolean" ? value : this.#mismatch(value, shape.go);
      case "float":
        return typeof value === "number" ? value : this.#mismatch(value, shape.go);
      case "int32":
      case "int64":
        return this.#int(shape.go, shape.kind === "int32" ? 2 ** 31 : 2 ** 63, value);
      case "bytes":
        return this.#bytes(shape.go, value);
      case "list":
        return Array.isArray(value) ? this.#list(shape.items, value) : this.#mismatch(value, shape.go);
      case "map":
        return isObject(value) ? this.#map(shape.values, value) : this.#mismatch(value, shape.go);
      case "struct":
        return isObject(value) ? this.struct(shape.type, value) : this.#mismatch(value, shape.go);
      case "special":
        return this.#special(shape.go, value);
    }
  }

  #int(go: string, limit: number, value: TreeNode): TreeNode | undefined {
    if (typeof value !== "number") {
      return this.#mismatch(value, go);
    }
    const fits = Number.isInteger(value) && value < limit && value >= -limit;
    return fits ? value : this.#mismatch(value, go, `number ${value}`);
  }

  #bytes(go: string, value: TreeNode): TreeNode | undefined {
    if (typeof value !== "string") {
      return this.#mismatch(value, go);
    }
    const fault = base64Fault(value);
    if (fault !== undefined) {
      this.mismatch ??= `illegal base64 data at input byte ${fault}`;
    }
    return value.replaceAll(/[\r\n]/g, "");
  }

  #list(items: Shape, list: readonly TreeNode[]): TreeNode[] {
    return list.map((item, index) => {
      this.#path.push(index);
      const read = item === null ? zeroOf(items) : (this.#value(items, item) ?? null);
      this.#path.pop();
      return read;
    });
  }

  #map(values: Shape, tree: Tree): Tree {
    const map: Tree = {};
    for (const key of Object.keys(tree)) {
      this.#path.push(key);
      const value = tree[key] ?? null;
      put(map, key, value === null ? zeroOf(values) : (this.#value(values, value) ?? null));
      this.#path.pop();
    }
    return map;
  }

  #special(go: string, value: TreeNode): TreeNode | undefined {
    const result = readSpecial(go, value);
    if (result.kind === "refused") {
      throw new DecodeError(result.message);
    }
    if (result.kind === "mismatch") {
      throw new DecodeError(this.#typeError(jsonKind(value), result.goType));
    }
    return result.value;
  }

  #mismatch(value: TreeNode, goType: string, kind = jsonKind(value)): TreeNode | undefined {
    this.mismatch ??= this.#typeError(kind, goType);
    return undefined;
  }

  #typeError(kind: string, goType: string): string {
    const struct = this.#structs.at(-1) ?? "";
    return `json: cannot unmarshal ${kind} into Go struct field ${struct}.${this.#fields.join(".")} of type ${goType}`;
  }

  #addUnknown(key: string): void {
    // As the API server: no more than a hundred, lest a hostile body make a huge answer.
    if (this.unknown.length < 100) {
      this.unknown.push(printPath([...this.#path, key]));
    }
  }
}

function writeField(object: Tree, field: ApiField, value: TreeNode | undefined): void {
  if (value === undefined) {
    writeUnset(object, field);
  } else if (!field.omitEmpty || field.pointer || !isEmpty(value, field.shape)) {
    object[field.name] = value;
  }
}

function writeUnset(object: Tree, field: ApiField): void {
  const { shape, pointer, omitEmpty, omitZero } = field;
  const isStruct = !pointer && (shape.kind === "struct" || shape.kind === "special");
  if (isStruct ? !omitZero : !omitEmpty) {
    object[field.name] = pointer ? null : zeroOf(shape);
  }
}

function zeroOf(shape: Shape): TreeNode {
  switch (shape.kind) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float":
      return 0;
    case "bytes":
    case "list":
    case "map":
      return null;
    case "struct":
      return zeroStruct(shape.type);
    case "special":
      return zeroSpecial(shape.go);
  }
}

/** Empty in the sense of Go's omitempty, which structs never are. */
function isEmpty(value: TreeNode, shape: Shape): boolean {
  if (shape.kind === "struct" || shape.kind === "special") {
    return false;
  }
  if (Array.isArray(value)) {
    return value.length === 0;
  }
  return isObject(value) ? Object.keys(value).length === 0 : value === "" || value === 0 || value === false;
}

function isObject(value: TreeNode): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The type of a JSON value, as Go's decoder calls it. */
export function jsonKind(value: TreeNode): string {
  if (value === null) {
    return "null";
  }
  const kind = typeof value;
  return Array.isArray(value) ? "array" : kind === "boolean" ? "bool" : kind;
}

/** The place of the first character that is no base64, as Go counts it, or undefined. */
function base64Fault(text: string): number | undefined {
  const plain = text.replaceAll(/[\r\n]/g, "");
  const good = /^[A-Za-z0-9+/]*/.exec(plain)?.[0].length ?? 0;
  const padding = plain.slice(good);
  const wanted = (4 - (good % 4)) % 4;
  if (good % 4 !== 1 && padding === "=".repeat(wanted)) {
    return undefined;
  }
  return /^=*$/.test(padding) ? plain.length - (plain.length % 4 === 0 ? 1 : plain.length % 4) : good;
}

function printPath(path: readonly (string | number)[]): string {
  return path
    .map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`))
    .join("");
}
