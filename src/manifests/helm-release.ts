import { compareGoStrings } from "@weir/base";
import { printImageName } from "../image/name.ts";
import { type ImageRef, InvalidImageRefError, parseImageRef, printImageRef } from "../image/ref.ts";
import { fieldAt, fieldOf, membersOf, type Part, textOf } from "./fields.ts";

/** The container of an image that stands at the top of the values. */
export const chartImageContainer = "chart-image";

/** The keys that lead to a field of the values. */
export type ValuePath = readonly string[];

/** The fields that an image is spread over. */
export interface ImagePaths {
  readonly repository: ValuePath;
  readonly registry?: ValuePath;
  readonly tag?: ValuePath;
}

/** An image that the values of a HelmRelease name. */
export interface HelmImage {
  readonly container: string;
  readonly image: ImageRef;
  readonly paths: ImagePaths;
}

/** A field of the values to be set to a text. */
export interface ValueChange {
  readonly path: ValuePath;
  readonly value: string;
}

/**
 * The images that Flux v1 sees in the values of a HelmRelease: one at the top, one in each field below, and
 * those that annotations point at, which win over the others. The one at the top comes first, the rest by name.
 */
export function findHelmImages(annotations: ReadonlyMap<string, string>, values: Part): readonly HelmImage[] {
  const found = new Map<string, HelmImage>();
  const add = (container: string, paths: ImagePaths | undefined): void => {
    const image = paths && readImage(values, paths);
    if (paths !== undefined && image !== undefined) {
      found.set(container, { container, image, paths });
    }
  };
  add(chartImageContainer, pathsIn(values, []));
  for (const [key, value] of membersOf(values)) {
    add(textOf(key), pathsIn(value, [textOf(key)]));
  }
  for (const [container, paths] of mappedPaths(annotations)) {
    add(container, paths);
  }
  return [...found.values()].sort(byContainer);
}

/**
 * Where annotations say that the image of a container stands; undefined where they do not, or where no image
 * stands there.
 */
export function mappedImagePaths(
  annotations: ReadonlyMap<string, string>,
  values: Part,
  container: string,
): ImagePaths | undefined {
  const paths = mappedPaths(annotations).get(container);
  return paths && readImage(values, paths) && paths;
}

/** What to set so that the fields name another image; each field keeps the part that it has. As Flux v1. */
export function imageChanges(
  { repository, registry, tag }: ImagePaths,
  image: ImageRef,
): readonly ValueChange[] {
  const changes: readonly (readonly [path: ValuePath | undefined, value: string])[] = [
    [registry, image.domain],
    [repository, repositoryText(image, registry !== undefined, tag !== undefined)],
    [tag, image.tag],
  ];
  return changes.flatMap(([path, value]) => (path === undefined ? [] : [{ path, value }]));
}

function repositoryText(image: ImageRef, hasRegistry: boolean, hasTag: boolean): string {
  if (hasRegistry) {
    return hasTag ? image.image : `${image.image}:${image.tag}`;
  }
  return hasTag ? printImageName(image) : printImageRef(image);
}

/** An image in a mapping: `image: <ref>`, or `image: {repository: <ref>}`, with what stands beside it. */
function pathsIn(mapping: Part, path: ValuePath): ImagePaths | undefined {
  const image = fieldOf(mapping, "image");
  if (typeof image === "string") {
    return imagePaths(mapping, path, "image");
  }
  return typeof fieldOf(image, "repository") === "string"
    ? imagePaths(image, [...path, "image"], "repository")
    : undefined;
}

/** A registry or tag counts only where it is a string; a number in its place is no tag. */
function imagePaths(mapping: Part, path: ValuePath, repository: string): ImagePaths {
  return {
    repository: [...path, repository],
    ...(typeof fieldOf(mapping, "registry") === "string" ? { registry: [...path, "registry"] } : {}),
    ...(typeof fieldOf(mapping, "tag") === "string" ? { tag: [...path, "tag"] } : {}),
  };
}

function readImage(values: Part, { repository, registry, tag }: ImagePaths): ImageRef | undefined {
  const [name, host, version] = [repository, registry, tag].map((path) => textAt(values, path));
  if (name === undefined || (registry !== undefined && host === undefined)) {
    return undefined;
  }
  if (tag !== undefined && version === undefined) {
    return undefined;
  }
  const hosted = host === undefined ? name : `${host}/${name}`;
  return parse(version === undefined ? hosted : `${hosted}:${version}`);
}

function parse(text: string): ImageRef | undefined {
  try {
    return parseImageRef(text);
  } catch (error) {
    if (error instanceof InvalidImageRefError) {
      return undefined;
    }
    throw error;
  }
}

function textAt(values: Part, path: ValuePath | undefined): string | undefined {
  const value = path && fieldAt(values, path);
  return typeof value === "string" ? value : undefined;
}

const annotationPrefixes = [
  ["registry.fluxcd.io/", "registry"],
  ["repository.fluxcd.io/", "repository"],
  ["tag.fluxcd.io/", "tag"],
] as const;

/** By container; those without a repository point at nothing. */
function mappedPaths(annotations: ReadonlyMap<string, string>): ReadonlyMap<string, ImagePaths> {
  const mapped = new Map<string, ImagePaths>();
  for (const [key, value] of annotations) {
    for (const [prefix, part] of annotationPrefixes) {
      if (key.startsWith(prefix) && value !== "") {
        const container = key.slice(prefix.length);
        mapped.set(container, { repository: [], ...mapped.get(container), [part]: value.split(".") });
      }
    }
  }
  return new Map([...mapped].filter(([, { repository }]) => repository.length > 0));
}

function byContainer(a: HelmImage, b: HelmImage): number {
  const isFirst = (image: HelmImage): number => (image.container === chartImageContainer ? 0 : 1);
  return isFirst(a) - isFirst(b) || compareGoStrings(a.container, b.container);
}
