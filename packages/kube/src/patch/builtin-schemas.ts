import { apiVersionOf, type GroupVersionKind, groupOf } from "../gvk.ts";
import { kindsByApiVersion, typeLines } from "./builtin-schema-table.ts";
import { currentGroupOf, isPreRelease, oldLineOf } from "./old-kinds.ts";
import type { PatchSchema } from "./patch-schema.ts";
import { type FieldRules, schemaOfType } from "./patch-types.ts";
import { parseTypeLine } from "./schema-table.ts";

/** The type of kinds that only have rules for their metadata. */
const plainType = "plain";

/**
 * The patch rules of a kind that is built into Kubernetes; undefined for other kinds (custom resources).
 * Versions that are no longer served, such as extensions/v1beta1 and batch/v1beta1, have the rules of their
 * successors. Types are decoded when they're first requested and stored with the schema, so reuse the schema.
 */
export function builtinPatchSchema(gvk: GroupVersionKind): PatchSchema | undefined {
  const type = typeIn(apiVersionOf(gvk.group, gvk.version), gvk.kind);
  return type === undefined ? oldSchema(gvk) : schemaOfType(type, fieldsOf);
}

function oldSchema(gvk: GroupVersionKind): PatchSchema | undefined {
  const line = oldLineOf(gvk);
  if (line !== undefined) {
    return schemaOfType("", (type) => (type === "" ? parseTypeLine(line) : fieldsOf(type)));
  }
  const type = isPreRelease(gvk.version) ? typeOfSuccessor(gvk) : undefined;
  return type === undefined ? undefined : schemaOfType(type, fieldsOf);
}

/** The type of a kind in its latest version in the table. */
function typeOfSuccessor(gvk: GroupVersionKind): string | undefined {
  const group = currentGroupOf(gvk);
  return Object.keys(kindsByApiVersion)
    .filter((apiVersion) => groupOf(apiVersion) === group)
    .map((apiVersion) => typeIn(apiVersion, gvk.kind))
    .findLast((type) => type !== undefined);
}

/** The type of a kind in the table, whose entries are "Kind=type", or only "Kind" for plain ones. */
function typeIn(apiVersion: string, kind: string): string | undefined {
  const kinds = Object.hasOwn(kindsByApiVersion, apiVersion) ? kindsByApiVersion[apiVersion] : undefined;
  const entry = kinds?.split(" ").find((text) => text === kind || text.startsWith(`${kind}=`));
  return entry === kind ? plainType : entry?.slice(kind.length + 1);
}

function fieldsOf(type: string): ReadonlyMap<string, FieldRules> | undefined {
  const line = Object.hasOwn(typeLines, type) ? typeLines[type] : undefined;
  return line === undefined ? undefined : parseTypeLine(line);
}
