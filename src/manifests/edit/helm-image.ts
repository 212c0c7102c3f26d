import { type Mapping, stringIdentity, stringOfIdentity } from "@weir/yaml/ruamel-yaml";
import type { Changes } from "./changes.ts";
import { fieldOf, isEmpty, requireField, requireMapping, requireMappingField, stringOf } from "./fields.ts";
import { type ImageParts, joinImage, splitImage } from "./image-parts.ts";

/** A container's name, and its new image. */
export interface ContainerImage {
  readonly container: string;
  readonly image: string;
}

/** The container name for the image at the top level of a release's values. */
const chartImage = "chart-image";

/** True if the manifest is a Helm release, of Helm operator's newer or older API. */
export function isHelmRelease(manifest: Mapping): boolean {
  const kind = stringOf(fieldOf(manifest, "kind"));
  return kind === "HelmRelease" || kind === "FluxHelmRelease";
}

/**
 * Sets an image in `spec.values`: in `image` at the top level (its container is `chart-image`), or in `image` inside a
 * mapping there, whose key is the container. Returns whether there's such a container.
 *
 * @throws EditError if the values aren't a mapping
 */
export function setHelmImage(release: Mapping, { container, image }: ContainerImage, log: Changes): boolean {
  const values = requireField(requireMappingField(release, "spec"), "values");
  if (isEmpty(values)) {
    return false;
  }
  const holder = imageHolder(requireMapping(values, 'the field "values"'), container);
  if (holder !== undefined) {
    setImageIn(holder, image, log);
  }
  return holder !== undefined;
}

function imageHolder(values: Mapping, container: string): Mapping | undefined {
  if (container === chartImage && has(values, "image")) {
    return values;
  }
  const inner = [...values.keys()].some((key) => stringOfIdentity(key) === container)
    ? fieldOf(values, container)
    : undefined;
  return inner?.kind === "mapping" && has(inner, "image") ? inner : undefined;
}

/** The reference is split into registry, repository, and tag, as far as the values have fields for these. */
function setImageIn(holder: Mapping, image: string, log: Changes): void {
  const inner = fieldOf(holder, "image");
  const hasRepository = inner?.kind === "mapping" && has(inner, "repository");
  const fields = hasRepository ? requireMapping(inner, "the image") : holder;
  const parts = splitImage(image);
  for (const [field, text] of partsByField(fields, hasRepository ? "repository" : "image", image, parts)) {
    log.setText(fields, field, text);
  }
}

function partsByField(
  fields: Mapping,
  imageField: string,
  image: string,
  { registry, name, tag }: ImageParts,
): readonly (readonly [string, string])[] {
  const hasRegistry = has(fields, "registry");
  const hasTag = has(fields, "tag");
  if (hasRegistry && hasTag) {
    return [
      ["registry", registry],
      [imageField, name],
      ["tag", tag],
    ];
  }
  if (hasRegistry) {
    return [
      ["registry", registry],
      [imageField, joinImage(name, tag, ":")],
    ];
  }
  if (hasTag) {
    return [
      [imageField, joinImage(registry, name, "/")],
      ["tag", tag],
    ];
  }
  return [[imageField, image]];
}

function has(mapping: Mapping, key: string): boolean {
  return mapping.has(stringIdentity(key));
}
