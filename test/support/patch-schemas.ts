import { invariant } from "../../src/base/errors.ts";
import { groupOf, versionOf } from "../../src/kube/gvk.ts";
import { builtinPatchSchema } from "../../src/kube/patch/builtin-schemas.ts";
import type { PatchSchema } from "../../src/kube/patch/patch-schema.ts";

/** The shipped patch rules of a kind that must have some: schemaOf("apps/v1", "Deployment"). */
export function schemaOf(apiVersion: string, kind: string): PatchSchema {
  const schema = builtinPatchSchema({ group: groupOf(apiVersion), version: versionOf(apiVersion), kind });
  invariant(schema !== undefined, `${apiVersion} ${kind} is no built-in kind`);
  return schema;
}
