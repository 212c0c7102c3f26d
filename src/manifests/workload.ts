import { parseImageRefLoosely } from "../image/ref.ts";
import type { KubeObject } from "../kube/object.ts";
import type { Container } from "../resource/resource.ts";
import { fieldAt, fieldOf, itemsOf, type Part, textOf, textsOf } from "./fields.ts";
import { findHelmImages } from "./helm-release.ts";

/** The kind whose images stand in the values of a chart. */
export const helmReleaseKind = "HelmRelease";

/** Where the kinds that run pods hold their pod template. As Flux v1, the kind alone counts, not its API. */
const podTemplates: ReadonlyMap<string, readonly string[]> = new Map([
  ["Deployment", ["spec", "template"]],
  ["DaemonSet", ["spec", "template"]],
  ["StatefulSet", ["spec", "template"]],
  ["CronJob", ["spec", "jobTemplate", "spec", "template"]],
]);

/** What containersOf looks at: a document with its annotations. */
export interface WorkloadParts {
  readonly kind: string;
  readonly annotations: ReadonlyMap<string, string>;
  /** The whole document; of a HelmRelease as JSON. */
  readonly document: Part;
}

/** The containers of a live object, init containers last; undefined where its kind has none. */
export function containersOf(object: KubeObject): readonly Container[] | undefined {
  const { kind, spec } = object;
  return workloadContainers({
    kind,
    annotations: annotationsOfObject(object),
    document: { spec: spec ?? null },
  });
}

/**
 * The containers of a workload, init containers last; undefined where its kind has none. An image that cannot be
 * read is kept as far as it can.
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
  const containers = [...itemsOf(fieldOf(pod, "containers")), ...itemsOf(fieldOf(pod, "initContainers"))];
  return containers.map((container) => ({
    name: textOf(fieldOf(container, "name")),
    image: parseImageRefLoosely(textOf(fieldOf(container, "image"))),
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
