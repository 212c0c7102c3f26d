import { quoteGo } from "@weir/base";
import {
  FluxError,
  type ImageRef,
  NoPolicyChangesError,
  type PolicyUpdate,
  partsOfResourceId,
  policyChanges,
  printImageRef,
  type Resource,
} from "@weir/flux";
import { annotationChanges } from "./annotations.ts";
import type { EditOptions } from "./edit/edit-file.ts";
import { setAnnotations } from "./edit/set-annotations.ts";
import { setImage } from "./edit/set-image.ts";
import { setPaths } from "./edit/set-paths.ts";
import type { Target } from "./edit/target.ts";
import { NotAWorkloadError } from "./errors.ts";
import { fieldAt } from "./fields.ts";
import { imageChanges, mappedImagePaths } from "./helm-release.ts";
import { toKubeObject } from "./kube-object.ts";
import { annotationsOfObject, helmReleaseKind } from "./workload.ts";

/** A new image for a container. */
export interface ImageEdit extends EditOptions {
  readonly container: string;
  readonly image: ImageRef;
}

/** New policies for a workload. */
export interface PolicyEdit extends EditOptions {
  readonly update: PolicyUpdate;
}

/** The prefix of paths in values. */
const valuesPath = "spec.values";

/**
 * The text of a file with a new image for a container of one of its workloads. For a HelmRelease whose annotations say
 * where the image is, those fields are set. Throws FluxError for a resource without images, and the errors of edits:
 * EditError, ManifestNotFoundError, and UnresolvedPathsError.
 */
export function withImage(
  text: Uint8Array,
  resource: Resource,
  { container, image, ...options }: ImageEdit,
): string {
  if (resource.containers === undefined) {
    throw unsupportedKind(partsOfResourceId(resource.id).kind);
  }
  const object = toKubeObject(resource);
  const mapped =
    object.kind === helmReleaseKind
      ? mappedImagePaths(annotationsOfObject(object), fieldAt(object.spec, ["values"]), container)
      : undefined;
  if (mapped === undefined) {
    return setImage(text, targetOf(resource), { container, image: printImageRef(image), ...options });
  }
  const changes = imageChanges(mapped, image).map(({ path, value }) => ({
    path: [valuesPath, ...path].join("."),
    value,
  }));
  return setPaths(text, targetOf(resource), { paths: changes, ...options });
}

/**
 * The text of a file with new policies for one of its workloads. Throws NotAWorkloadError, InvalidTagPatternError,
 * NoPolicyChangesError, and the errors of edits. As in Flux v1, an empty update is an error.
 */
export function withPolicies(
  text: Uint8Array,
  resource: Resource,
  { update, ...options }: PolicyEdit,
): string {
  const { id, containers } = resource;
  if (containers === undefined) {
    throw new NotAWorkloadError(id);
  }
  const wanted = policyChanges(containers, update);
  if (wanted.size === 0) {
    throw new NoPolicyChangesError(id);
  }
  const changes = annotationChanges(wanted, annotationsOfObject(toKubeObject(resource)));
  return setAnnotations(text, targetOf(resource), { changes, ...options });
}

/**
 * As in Flux v1, edits look for the effective namespace of the object. If that comes from --k8s-default-namespace
 * because the file names none, the manifest isn't found: edits read a missing namespace as "default".
 */
function targetOf({ id }: Resource): Target {
  return partsOfResourceId(id);
}

function unsupportedKind(kind: string): FluxError {
  return new FluxError(
    "user",
    `updating resource kind ${quoteGo(kind)} not supported`,
    `Flux does not support updating ${kind} resources.

This may be because those resources do not use images, you are trying
to use a YAML dot notation path annotation for a non HelmRelease
resource, or because it is a new kind of resource in Kubernetes, and
Flux does not support it yet.

If you can use a Deployment instead, Flux can work with
those. Otherwise, you may have to update the resource manually (e.g.,
using kubectl).
`,
  );
}
