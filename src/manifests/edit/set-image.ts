import { EditError, type Mapping, type Value } from "@weir/yaml/ruamel-yaml";
import type { Changes } from "./changes.ts";
import { type EditOptions, editFile } from "./edit-file.ts";
import { fieldOf, lineOf, requireField, requireMapping, requireMappingField, stringOf } from "./fields.ts";
import { type ContainerImage, isHelmRelease, setHelmImage } from "./helm-image.ts";
import type { EditInput } from "./input.ts";
import { matchingManifests, type Target } from "./target.ts";

/** The image to set, and how to write the file. */
export interface ImageChange extends ContainerImage, EditOptions {}

/**
 * Sets the image of a container, as `kubeyaml image` does: in the first matching manifest that has the container, as a
 * container or init container of its pod, or as an image in the values of a Helm release.
 *
 * @throws ManifestNotFoundError if no matching manifest has the container
 * @throws EditError if the file isn't valid YAML, or the manifest has no pod
 */
export function setImage(
  input: EditInput,
  target: Target,
  { container, image, ...options }: ImageChange,
): string {
  return editFile(input, options, (document, log) => {
    for (const manifest of matchingManifests(document, target)) {
      if (setManifestImage(manifest, { container, image }, log)) {
        return true;
      }
    }
    return false;
  });
}

function setManifestImage(manifest: Mapping, wanted: ContainerImage, log: Changes): boolean {
  if (isHelmRelease(manifest)) {
    return setHelmImage(manifest, wanted, log);
  }
  const container = findContainer(podSpecOf(manifest), wanted.container);
  if (container !== undefined) {
    log.setText(container, "image", wanted.image);
  }
  return container !== undefined;
}

function podSpecOf(manifest: Mapping): Mapping {
  const isCronJob = stringOf(fieldOf(manifest, "kind")) === "CronJob";
  const path = isCronJob ? ["spec", "jobTemplate", "spec", "template", "spec"] : ["spec", "template", "spec"];
  return path.reduce(requireMappingField, manifest);
}

function findContainer(podSpec: Mapping, name: string): Mapping | undefined {
  const containers = [...listOf(podSpec, "containers"), ...listOf(podSpec, "initContainers")];
  for (const value of containers) {
    const container = requireMapping(value, "a container");
    if (stringOf(requireField(container, "name")) === name) {
      return container;
    }
  }
  return undefined;
}

function listOf(podSpec: Mapping, field: string): readonly Value[] {
  const list = fieldOf(podSpec, field);
  if (list !== undefined && list.kind !== "sequence") {
    throw new EditError(`the field "${field}" is not a list`, lineOf(list));
  }
  return list?.items ?? [];
}
