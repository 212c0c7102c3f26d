/**
 * Reads what OpenAPI omits about Kubernetes' types from their Go declarations: the order of fields, which
 * fields are pointers, which are omitted when empty, and how the Go decoder names their types in errors.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { invariant } from "@weir/base";

/** One field of a Go struct, as seen by JSON. */
export interface GoField {
  readonly jsonName: string;
  /** The Go type, with full package paths instead of aliases, e.g. "*io.k8s.api.core.v1.Affinity". */
  readonly type: string;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** Its number in the protobuf message; 0 if it isn't part of one. */
  readonly proto: number;
}

/** One Go package: its structs, field by field, and its other named types, e.g. `type UID string`. */
export interface GoPackage {
  readonly structs: ReadonlyMap<string, readonly GoField[]>;
  readonly named: ReadonlyMap<string, string>;
}

const builtins = new Set(["string", "bool", "int", "int32", "int64", "float64", "uint64", "byte", "any"]);

/** Reads all non-test files of a package. `goPath` is its import path, e.g. "k8s.io/api/apps/v1". */
export function readGoPackage(folder: string, goPath: string): GoPackage {
  const structs = new Map<string, readonly GoField[]>();
  const named = new Map<string, string>();
  for (const file of readdirSync(folder)) {
    if (file.endsWith(".go") && !file.endsWith("_test.go") && !file.startsWith("zz_generated")) {
      readGoFile(readFileSync(join(folder, file), "utf8"), goPath, structs, named);
    }
  }
  return { structs, named };
}

/** The OpenAPI name of a Go package: "io.k8s.api.apps.v1" for "k8s.io/api/apps/v1". */
export function openApiPackage(goPath: string): string {
  const [host = "", ...rest] = goPath.split("/");
  return [...host.split(".").reverse(), ...rest].join(".");
}

function readGoFile(
  source: string,
  goPath: string,
  structs: Map<string, readonly GoField[]>,
  named: Map<string, string>,
): void {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const resolve = typeResolver(code, goPath);
  for (const match of code.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    structs.set(match[1] ?? "", parseFields(match[2] ?? "", resolve));
  }
  for (const match of code.matchAll(/^type (\w+) =? ?(?!struct\b|interface\b|func\b)(\S+)/gm)) {
    named.set(match[1] ?? "", resolve(match[2] ?? ""));
  }
}

/** Embedded structs are returned as a field with the name "", and resolved by the reader of all packages. */
function parseFields(body: string, resolve: (type: string) => string): GoField[] {
  const fields: GoField[] = [];
  for (const match of body.matchAll(/^\s*([^`\n]+?)\s+`(?:[^`]*\s)?json:"([^"]*)"[^`]*`/gm)) {
    const words = (match[1] ?? "").trim().split(/\s+/);
    const [jsonName = "", ...options] = (match[2] ?? "").split(",");
    if (jsonName !== "-") {
      const type = words.at(-1);
      invariant(type !== undefined, "a field without a type");
      fields.push({
        jsonName,
        type: resolve(type),
        omitEmpty: options.includes("omitempty"),
        omitZero: options.includes("omitzero"),
        proto: Number(/protobuf:"\w+,(\d+)/.exec(match[0])?.[1] ?? 0),
      });
    }
  }
  return fields;
}

function typeResolver(code: string, goPath: string): (type: string) => string {
  const imports = new Map<string, string>();
  const block = /^import \(\n([\s\S]*?)^\)/m.exec(code)?.[1] ?? /^import (.*)$/m.exec(code)?.[1] ?? "";
  for (const match of block.matchAll(/(?:(\w+)\s+)?"([^"]+)"/g)) {
    const path = match[2] ?? "";
    imports.set(match[1] ?? path.slice(path.lastIndexOf("/") + 1), path);
  }
  return (type) =>
    type.replace(/(?:(\w+)\.)?(\w+)/g, (whole, alias: string | undefined, name: string) => {
      if (alias === undefined) {
        return builtins.has(name) || name === "map" ? name : `${openApiPackage(goPath)}.${name}`;
      }
      const path = imports.get(alias);
      return path === undefined ? whole : `${openApiPackage(path)}.${name}`;
    });
}
