/** Finds out what a person means by a name. Pure; only what isn't decided here has to be looked up. */

import {
  clusterScope,
  type ImageRef,
  isSameRepository,
  makeResourceId,
  parseImageRef,
  parseResourceIdIn,
  partsOfResourceId,
  type ResourceId,
} from "@weir/flux";

/** What there is to name. */
export interface Names {
  /** Everything in git, and the workloads in the cluster. */
  readonly ids: ReadonlySet<ResourceId>;
  /** The images that they use. */
  readonly images: readonly ImageRef[];
}

/** What a name means. */
export type Subject =
  | { readonly kind: "resource"; readonly id: ResourceId }
  /** As far as it's given: without a tag, the whole repository. */
  | { readonly kind: "image"; readonly image: ImageRef }
  /** Several things have that name. */
  | { readonly kind: "ambiguous"; readonly names: readonly string[] }
  /** It isn't among the names: what to look up, in this order. */
  | {
      readonly kind: "unsure";
      readonly commit: string | undefined;
      readonly ids: readonly ResourceId[];
    };

/** kubectl's short names of the kinds that people ask about. */
const shortKinds: ReadonlyMap<string, string> = new Map([
  ["cj", "cronjob"],
  ["cm", "configmap"],
  ["crd", "customresourcedefinition"],
  ["deploy", "deployment"],
  ["ds", "daemonset"],
  ["hpa", "horizontalpodautoscaler"],
  ["hr", "helmrelease"],
  ["ing", "ingress"],
  ["ns", "namespace"],
  ["po", "pod"],
  ["pvc", "persistentvolumeclaim"],
  ["rs", "replicaset"],
  ["sa", "serviceaccount"],
  ["sts", "statefulset"],
  ["svc", "service"],
]);

/** What a name means: a resource before an image before a commit. */
export function readSubject(text: string, namespace: string, { ids, images }: Names): Subject {
  const wanted = idsFor(text, namespace);
  const id = wanted.find((each) => ids.has(each));
  if (id !== undefined) {
    return { kind: "resource", id };
  }
  const image = imageFor(text, images);
  if (image !== undefined) {
    return { kind: "image", image };
  }
  const named = [...ids].filter((each) => partsOfResourceId(each).name === text);
  const near = named.filter((each) => partsOfResourceId(each).namespace === namespace);
  const [only, ...others] = near.length > 0 ? near : named;
  if (only !== undefined) {
    return others.length === 0
      ? { kind: "resource", id: only }
      : { kind: "ambiguous", names: [only, ...others] };
  }
  const isName = /^[^\s~^:?*[\\]+$/.test(text) && !text.startsWith("-") && !text.includes("..");
  return { kind: "unsure", commit: isName ? text : undefined, ids: wanted };
}

/** The resources that "kind/name" or "namespace:kind/name" can mean. */
function idsFor(text: string, namespace: string): readonly ResourceId[] {
  let given: ResourceId;
  try {
    given = parseResourceIdIn(namespace, text);
  } catch {
    return [];
  }
  const { kind, name, ...parts } = partsOfResourceId(given);
  const id = makeResourceId(parts.namespace, shortKinds.get(kind) ?? kind, name);
  const isQualified = text.includes(":") && text.indexOf(":") < text.indexOf("/");
  return isQualified ? [id] : [id, makeResourceId(clusterScope, shortKinds.get(kind) ?? kind, name)];
}

/** The image under the name that workloads use; the end of its path is enough. */
function imageFor(text: string, images: readonly ImageRef[]): ImageRef | undefined {
  let asked: ImageRef;
  try {
    asked = parseImageRef(text);
  } catch {
    return undefined;
  }
  const ending = `/${asked.domain === "" ? asked.image : `${asked.domain}/${asked.image}`}`;
  const found =
    images.find((image) => isSameRepository(image, asked)) ??
    images.find(({ image }) => `/${image}`.endsWith(ending));
  return found && { ...found, tag: asked.tag, sha: asked.sha };
}
