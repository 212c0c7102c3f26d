import type { World, Written } from "../../../../dev/testing/src/update-world.ts";
import { canonicalName, type ModelRef, printRef, readRef } from "./image-ref.ts";
import { type KnownTags, newestFirst, type TaggedImage } from "./images.ts";
import { allows, readFilter } from "./tag-filter.ts";

/** A container of a workload and its image. */
export interface ModelContainer {
  readonly name: string;
  readonly image: ModelRef;
}

/** Policies by name. */
export type ModelPolicies = Readonly<Record<string, string>>;

/** A workload that runs: its containers, and why there are fewer of them than there should be ("" where not). */
export interface ModelRunning {
  readonly containers: readonly ModelContainer[];
  readonly excuse: string;
  readonly policies: ModelPolicies;
}

/** Repositories by their canonical name. */
export type ModelRegistry = Readonly<Record<string, KnownTags>>;

/** What updates are worked out from. */
export interface ModelWorld {
  /** The policies of the workloads in git. */
  readonly git: Readonly<Record<string, ModelPolicies>>;
  readonly running: Readonly<Record<string, ModelRunning>>;
  readonly registry: ModelRegistry;
}

/** What a release or automation would set in a container. */
export interface ModelUpdate {
  readonly container: string;
  readonly current: string;
  readonly target: string;
}

/** The model of a world that a test wrote or generated. */
export function modelOf({ git, cluster, registry = {} }: World): ModelWorld {
  return {
    git: Object.fromEntries(workloadsIn(git).map(([id, { policies = {} }]) => [id, policies])),
    running: Object.fromEntries(
      workloadsIn(cluster ?? git).map(([id, { images, policies = {} }]) => [
        id,
        { ...readContainers(Object.entries(images), []), policies },
      ]),
    ),
    registry,
  };
}

/**
 * The containers of a live workload. An image that cannot be read takes along all containers before it, and those
 * behind it that are of its kind; init containers come second. pkg/cluster/kubernetes/resourcekinds.go.
 */
export function readContainers(
  containers: readonly (readonly [name: string, image: string])[],
  initContainers: readonly (readonly [name: string, image: string])[],
): Pick<ModelRunning, "containers" | "excuse"> {
  let read: readonly ModelContainer[] = [];
  let excuse = "";
  for (const some of [containers, initContainers]) {
    for (const [name, text] of some) {
      const { ok, ...image } = readRef(text);
      if (!ok) {
        read = [];
        excuse = whyUnreadable(text);
        break;
      }
      read = [...read, { name, image }];
    }
  }
  return { containers: read, excuse };
}

/** What Flux says of a text that is no image. */
export function whyUnreadable(text: string): string {
  if (text === "") {
    return 'parsing "": blank image name: invalid image ID';
  }
  const form = "expected image name as either <image>:<tag> or just <image>: invalid image ID";
  // Flux leaves the text out where there are too many colons in it.
  const hasSlashAround = text.startsWith("/") || text.endsWith("/");
  const { image, sha } = readRef(text);
  const hasManyColons =
    !hasSlashAround && image.split(":").length > 2 && !(sha === "" && image.includes("@sha256:"));
  return hasManyColons ? form : `parsing ${JSON.stringify(text)}: ${form}`;
}

/** The filter that policies have for a container. */
export function filterOf(policies: ModelPolicies | undefined, container: string): string {
  return policies?.[`tag.${container}`] ?? "glob:*";
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

function workloadsIn(
  written: Readonly<Record<string, Written | null>>,
): readonly (readonly [id: string, workload: Written])[] {
  return Object.entries(written).flatMap(([id, one]) => (one === null ? [] : [[id, one] as const]));
}
