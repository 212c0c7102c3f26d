import { invariant } from "@weir/base";
import { groupOf, versionOf } from "@weir/kube";
import { builtinPatchSchema, type PatchSchema } from "@weir/kube/patch";

/** The built-in patch rules of a kind that must have some: schemaOf("apps/v1", "Deployment"). */
export function schemaOf(apiVersion: string, kind: string): PatchSchema {
  const schema = builtinPatchSchema({ group: groupOf(apiVersion), version: versionOf(apiVersion), kind });
  invariant(schema !== undefined, `${apiVersion} ${kind} is not a built-in kind`);
  return schema;
}
