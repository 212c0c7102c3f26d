import type { Written } from "../../../support/update-world.ts";
import { canonicalName, type ModelRef, printRef, readRef } from "./image-ref.ts";
import { type KnownTags, newestFirst, type TaggedImage } from "./images.ts";
import { allows, readFilter } from "./tag-filter.ts";

/** A container of a workload and its image. */
export interface ModelContainer {
  readonly name: string;
  readonly image: ModelRef;
}

/** What a release or automation would set in a container. */
export interface ModelUpdate {
  readonly container: string;
  readonly current: string;
  readonly target: string;
}

/** Repositories by their canonical name. */
export type ModelRegistry = Readonly<Record<string, KnownTags>>;

/** The containers of a workload as it was written. */
export function containersIn({ images }: Written): readonly ModelContainer[] {
  return Object.entries(images).map(([name, text]) => ({ name, image: readRef(text) }));
}

/** The filter that a workload has for a container. */
export function filterOf(written: Written | null | undefined, container: string): string {
  return written?.policies?.[`tag.${container}`] ?? "glob:*";
}

/** What is known of the repository of an image. */
export function tagsOf(registry: ModelRegistry, image: ModelRef): KnownTags {
  return registry[canonicalName(image)] ?? {};
}

/** The newest tag that a filter lets through: none, or unknown where one of these has no image. */
export type Newest = TaggedImage | "none" | "unknown";

/** pkg/update/images.go, FilterAndSortRepositoryMetadata and Latest. */
export function newestOf(tags: KnownTags, filter: string): Newest {
  const allowed = Object.entries(tags).filter(([tag]) => allows(filter, tag));
  const images = allowed.flatMap(([tag, created]) => (created === null ? [] : [{ tag, created }]));
  if (images.length < allowed.length) {
    return "unknown";
  }
  return newestFirst(images, readFilter(filter).by)[0] ?? "none";
}

/** The update of a container to another tag; a digest that is there stays, and hides it. */
export function updateTo({ name, image }: ModelContainer, tag: string): ModelUpdate {
  return { container: name, current: printRef(image), target: printRef({ ...image, tag }) };
}
