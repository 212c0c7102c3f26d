/**
 * What's deleted along with an object: a Namespace takes everything in it, and a custom resource definition
 * takes all objects of its kind.
 */
import { gvkOf, type KubeObject, type ResourceKey } from "@weir/kube";
import { objectOf, textOf } from "../health/fields.ts";

/** True for the objects that would be deleted along with a container. */
export type Contains = (key: ResourceKey) => boolean;

/** What a live object contains; undefined if it's neither a Namespace nor a custom resource definition. */
export function contentsOf(live: KubeObject): Contains | undefined {
  const { group, kind } = gvkOf(live);
  if (group === "" && kind === "Namespace") {
    return ({ namespace }) => namespace !== "" && namespace === live.metadata.name;
  }
  return group === "apiextensions.k8s.io" && kind === "CustomResourceDefinition" ? ofKind(live) : undefined;
}

/**
 * Often only the metadata is known, and with it only the definition's name, "<plural>.<group>": a kind counts
 * if that's its plural.
 */
function ofKind(definition: KubeObject): Contains {
  const spec = objectOf(definition.spec);
  const kind = textOf(objectOf(spec["names"])["kind"]);
  const { name = "" } = definition.metadata;
  const dot = name.indexOf(".");
  const [plural, group] = [name.slice(0, Math.max(dot, 0)), name.slice(dot + 1)];
  return (key) =>
    key.group === group && (kind === "" ? isPluralOf(plural, key.kind.toLowerCase()) : key.kind === kind);
}

/** True for a kind and its plural, both in lowercase: an English one, as code generators write them; an irregular one isn't recognized. */
export function isPluralOf(plural: string, kind: string): boolean {
  return [kind, `${kind}s`, `${kind}es`, kind.replace(/y$/, "ies")].includes(plural);
}
