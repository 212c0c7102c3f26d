import { type Container, parseImageRefLoosely, printImageRef } from "@weir/flux";
import type { KubeObject } from "@weir/kube";
import { fieldAt, fieldOf, itemsOf, type Part, textOf, textsOf } from "./fields.ts";
import { findHelmImages } from "./helm-release.ts";

/** The kind whose images are in the values of a chart. */
export const helmReleaseKind = "HelmRelease";

/** The pod template's path in the kinds that run pods. As in Flux v1, only the kind counts, not its API. */
const podTemplates: ReadonlyMap<string, readonly string[]> = new Map([
  ["Deployment", ["spec", "template"]],
  ["DaemonSet", ["spec", "template"]],
  ["StatefulSet", ["spec", "template"]],
  ["CronJob", ["spec", "jobTemplate", "spec", "template"]],
]);

/** The input for workloadContainers: a document and its annotations. */
export interface WorkloadParts {
  readonly kind: string;
  readonly annotations: ReadonlyMap<string, string>;
  /** The whole document; as JSON for a HelmRelease. */
  readonly document: Part;
}

/** A container as written, with the text of its image. */
export interface WrittenContainer {
  readonly name: string;
  readonly image: string;
}

/** The containers of a live object, and its init containers. */
export interface WrittenContainers {
  readonly containers: readonly WrittenContainer[];
  readonly initContainers: readonly WrittenContainer[];
}

/** The containers of a live object; none if its kind has none. */
export function writtenContainers(object: KubeObject): WrittenContainers {
  const { kind, spec } = object;
  const document = { spec: spec ?? null };
  if (kind === helmReleaseKind) {
    const images = findHelmImages(annotationsOfObject(object), fieldAt(document, ["spec", "values"]));
    const containers = images.map(({ container, image }) => ({
      name: container,
      image: printImageRef(image),
    }));
    return { containers, initContainers: [] };
  }
  const pod = fieldOf(fieldAt(document, podTemplates.get(kind) ?? []), "spec");
  return podTemplates.has(kind)
    ? { containers: writtenIn(pod, "containers"), initContainers: writtenIn(pod, "initContainers") }
    : { containers: [], initContainers: [] };
}

/**
 * The containers of a workload, with init containers last; undefined if its kind has none. An image that can't be
 * parsed is kept as far as possible.
 */
export function workloadContainers({
  kind,
  annotations,
  document,
}: WorkloadParts): readonly Container[] | undefined {
  if (kind === helmReleaseKind) {
    const images = findHelmImages(annotations, fieldAt(document, ["spec", "values"]));
    return images.map(({ container, image }) => ({ name: container, image }));
  }
  const path = podTemplates.get(kind);
  return path && podContainers(fieldOf(fieldAt(document, path), "spec"));
}

function podContainers(pod: Part): readonly Container[] {
  const written = [...writtenIn(pod, "containers"), ...writtenIn(pod, "initContainers")];
  return written.map(({ name, image }) => ({ name, image: parseImageRefLoosely(image) }));
}

function writtenIn(pod: Part, list: string): readonly WrittenContainer[] {
  return itemsOf(fieldOf(pod, list)).map((container) => ({
    name: textOf(fieldOf(container, "name")),
    image: textOf(fieldOf(container, "image")),
  }));
}

/** The annotations of a document. */
export function annotationsOf(document: Part): ReadonlyMap<string, string> {
  return textsOf(fieldAt(document, ["metadata", "annotations"]));
}

/** The annotations of an object. */
export function annotationsOfObject({ metadata }: KubeObject): ReadonlyMap<string, string> {
  return new Map(Object.entries(metadata.annotations ?? {}));
}
