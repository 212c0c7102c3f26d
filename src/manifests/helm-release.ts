import { compareGoStrings } from "@weir/base";
import {
  type ImageRef,
  InvalidImageRefError,
  parseImageRef,
  printImageName,
  printImageRef,
} from "@weir/flux";
import { fieldAt, fieldOf, membersOf, type Part, textOf } from "./fields.ts";

/** The container name for an image at the top level of the values. */
export const chartImageContainer = "chart-image";

/** The keys that lead to a field of the values. */
export type ValuePath = readonly string[];

/** The fields that contain the parts of an image. */
export interface ImagePaths {
  readonly repository: ValuePath;
  readonly registry?: ValuePath;
  readonly tag?: ValuePath;
}

/** An image in the values of a HelmRelease. */
export interface HelmImage {
  readonly container: string;
  readonly image: ImageRef;
  readonly paths: ImagePaths;
}

/** A field in the values, and its new text. */
export interface ValueChange {
  readonly path: ValuePath;
  readonly value: string;
}

/**
 * The images that Flux v1 finds in the values of a HelmRelease: one at the top level, one in each field below, and
 * those that annotations refer to, which take precedence. The top-level one comes first, the rest is sorted by name.
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
 * The fields of a container's image according to annotations; undefined if there are no such annotations, or no image
 * in those fields.
 */
export function mappedImagePaths(
  annotations: ReadonlyMap<string, string>,
  values: Part,
  container: string,
): ImagePaths | undefined {
  const paths = mappedPaths(annotations).get(container);
  return paths && readImage(values, paths) && paths;
}

/** The changes that set the fields to another image; each field keeps its part of the reference. Same as in Flux v1. */
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

/** An image in a mapping: `image: <ref>`, or `image: {repository: <ref>}`, with its related fields. */
function pathsIn(mapping: Part, path: ValuePath): ImagePaths | undefined {
  const image = fieldOf(mapping, "image");
  if (typeof image === "string") {
    return imagePaths(mapping, path, "image");
  }
  return typeof fieldOf(image, "repository") === "string"
    ? imagePaths(image, [...path, "image"], "repository")
    : undefined;
}

/** A registry or tag counts only if it's a string; a number doesn't count as a tag. */
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

/** By container; those without a repository refer to nothing. */
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
