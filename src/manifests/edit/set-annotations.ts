import type { Mapping } from "@weir/yaml/ruamel-yaml";
import type { Changes } from "./changes.ts";
import { type EditOptions, editFile } from "./edit-file.ts";
import { fieldOf, isEmpty, requireMapping, requireMappingField } from "./fields.ts";
import type { EditInput } from "./input.ts";
import { matchingManifests, type Target } from "./target.ts";

/** An annotation to set, or to remove if the value is missing or empty. */
export interface AnnotationChange {
  readonly key: string;
  readonly value: string | undefined;
}

/** The annotations to change, and how to write the file. */
export interface AnnotationChanges extends EditOptions {
  readonly changes: readonly AnnotationChange[];
}

/**
 * Sets and removes annotations of the first matching manifest, as `kubeyaml annotate` does. New ones come last.
 * `metadata.annotations` is created if it's missing, and removed if it becomes empty.
 *
 * @throws ManifestNotFoundError if no manifest matches
 * @throws EditError if the file isn't valid YAML, or the annotations aren't a mapping
 */
export function setAnnotations(
  input: EditInput,
  target: Target,
  { changes, ...options }: AnnotationChanges,
): string {
  return editFile(input, options, (document, log) => {
    for (const manifest of matchingManifests(document, target)) {
      annotate(manifest, changes, log);
      return true;
    }
    return false;
  });
}

function annotate(manifest: Mapping, changes: readonly AnnotationChange[], log: Changes): void {
  const metadata = requireMappingField(manifest, "metadata");
  const found = fieldOf(metadata, "annotations");
  const annotations =
    found === undefined
      ? log.addMapping(metadata, "annotations")
      : requireMapping(found, 'the field "annotations"');
  for (const { key, value = "" } of changes) {
    if (value === "") {
      log.remove(annotations, key);
    } else {
      log.setText(annotations, key, value);
    }
  }
  if (isEmpty(annotations)) {
    log.remove(metadata, "annotations");
  }
}
