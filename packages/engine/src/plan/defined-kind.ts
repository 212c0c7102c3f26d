import { gvkOf, type KubeObject } from "@weir/kube";
import { objectOf, textOf } from "../health/fields.ts";

/**
 * The kind that an object defines, as "<group>/<kind>"; undefined if it isn't a custom resource definition.
 */
export function definedKind(object: KubeObject): string | undefined {
  const { group, kind } = gvkOf(object);
  if (group !== "apiextensions.k8s.io" || kind !== "CustomResourceDefinition") {
    return undefined;
  }
  const spec = objectOf(object.spec);
  return `${textOf(spec["group"])}/${textOf(objectOf(spec["names"])["kind"])}`;
}
