/**
 * Patches and merges without I/O: JSON patch, JSON merge patch, and strategic merge patch with its schemas.
 */
export { builtinPatchSchema } from "./builtin-schemas.ts";
export { applyJsonMergePatch } from "./json-merge.ts";
export { applyJsonPatch } from "./json-patch.ts";
export { parseJsonPointer } from "./json-pointer.ts";
export { compareIds, type ItemId } from "./list-items.ts";
export { kindsOfType, openApiFields, typesOfDocument } from "./openapi-types.ts";
export { PatchError } from "./patch-error.ts";
export type { PatchField, PatchSchema } from "./patch-schema.ts";
export { applyPatchType, jsonMergePatchType, jsonPatchType, strategicMergePatchType } from "./patch-type.ts";
export type { FieldRules, TypeFields } from "./patch-types.ts";
export { printTypeLine } from "./schema-table.ts";
export { applyStrategicMergePatch } from "./strategic-merge.ts";
export { createThreeWayJsonMergePatch } from "./three-way-json-merge.ts";
export { createThreeWayStrategicPatch } from "./three-way-strategic.ts";
export { createTwoWayJsonMergePatch } from "./two-way-json-merge.ts";
export { createTwoWayStrategicPatch } from "./two-way-strategic.ts";
