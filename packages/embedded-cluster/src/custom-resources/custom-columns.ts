import { isJsonObject, type JsonObject, printHumanDuration } from "@weir/base";
import { ageOf } from "../tables/cell-text.ts";
import type { TableColumns } from "../tables/table.ts";
import { isTree, stringAt, type TreeNode } from "../tree.ts";
import { parseJsonPath } from "./json-path.ts";

const nameColumn: JsonObject = {
  name: "Name",
  type: "string",
  format: "name",
  description:
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
  priority: 0,
};

const ageColumn: JsonObject = {
  name: "Age",
  type: "date",
  format: "",
  description:
    "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
  priority: 0,
};

/** The columns in which custom resources are shown: their own, or their age. */
export function customColumns(columns: readonly JsonObject[]): TableColumns {
  if (columns.length === 0) {
    return {
      definitions: [nameColumn, ageColumn],
      cells: (object, now) => [stringAt(object, "metadata", "name"), ageOf(object, now)],
    };
  }
  const paths = columns.map(({ jsonPath }) => parseJsonPath(typeof jsonPath === "string" ? jsonPath : ""));
  return {
    definitions: [nameColumn, ...columns.map(definitionOf)],
    cells: (object, now) => [
      stringAt(object, "metadata", "name"),
      ...columns.map((column, at) => cellOf(column, paths[at]?.(object) ?? [], now)),
    ],
  };
}

function definitionOf({ name, type, format, description, priority, jsonPath }: JsonObject): JsonObject {
  const path = typeof jsonPath === "string" ? jsonPath : "";
  return {
    name: name ?? "",
    type: type ?? "string",
    format: format ?? "",
    description: description ?? `Custom resource definition column (in JSONPath format): ${path}`,
    priority: priority ?? 0,
  };
}

function cellOf({ type }: JsonObject, found: readonly TreeNode[], now: number): TreeNode {
  const [first] = found;
  if (first === undefined || first === null) {
    return null;
  }
  switch (type) {
    case "date":
      return typeof first === "string" ? printAge(first, now) : "<invalid>";
    case "integer":
    case "number":
      return typeof first === "number" ? (type === "integer" ? Math.trunc(first) : first) : null;
    case "boolean":
      return typeof first === "boolean" ? first : null;
    default:
      return print(first);
  }
}

function printAge(text: string, now: number): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? "<invalid>" : printHumanDuration(now - time);
}

function print(node: TreeNode): string {
  return typeof node === "object" && (isTree(node) || Array.isArray(node))
    ? JSON.stringify(node)
    : String(node);
}

/** The columns that a definition gives a version. */
export function printerColumns(version: JsonObject): readonly JsonObject[] {
  const columns = version["additionalPrinterColumns"];
  return Array.isArray(columns) ? columns.filter(isJsonObject) : [];
}
