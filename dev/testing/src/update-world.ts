import { messageOf } from "@weir/base";
import {
  type Container,
  canonicalImageName,
  decideAll,
  exactlyOneImage,
  type ImageInfo,
  ImageRepositories,
  type PolicySet,
  parseImageRef,
  parseImageRefLoosely,
  parseResourceId,
  parseTimestamp,
  plannerOf,
  type ReleaseSpec,
  type RepositoryMetadata,
  type Resource,
  type ResourceId,
  repositoriesOf,
  selectDefined,
  selectRunning,
  type UpdatePlanner,
  type UpdateResult,
  type Workload,
} from "@weir/flux";

/** A workload as a test writes it: images by container, and policies. */
export interface Written {
  readonly images: Readonly<Record<string, string>>;
  readonly policies?: PolicySet;
}

/** What a release is worked out from. */
export interface World {
  /** By ID; null for what is no workload. */
  readonly git: Readonly<Record<string, Written | null>>;
  /** By ID; as in git where it is not given. */
  readonly cluster?: Readonly<Record<string, Written>>;
  /** By repository: tags and when their images were made; null for a tag of whose image nothing is known. */
  readonly registry?: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
}

/** Works out a release as the daemon does, with all that it would look up at hand. */
export function plan(spec: ReleaseSpec, world: World): UpdateResult {
  const planner = plannerOf(spec);
  const resources = resourcesOf(world.git);
  const selection = selectDefined(planner, resources);
  const running = workloadsOf(world).filter(({ id }) => selection.ids.includes(id));
  const chosen = selectRunning(planner, selection, { resources, running });
  return decideAll(planner, chosen, imagesFor(planner, chosen.candidates, world));
}

/** The resources that a test wrote, by ID. */
export function resourcesOf(git: World["git"]): ReadonlyMap<ResourceId, Resource> {
  return new Map(
    Object.entries(git).map(([text, written]) => {
      const id = parseResourceId(text);
      const policies = written?.policies ?? {};
      const containers = written === null ? {} : { containers: containersOf(written) };
      return [id, { id, source: "file.yaml", bytes: "", policies, ...containers }];
    }),
  );
}

/** What is known of a repository whose tags and times a test wrote. */
export function metadataOf(
  repository: string,
  tags: Readonly<Record<string, string | null>>,
): RepositoryMetadata {
  const name = canonicalImageName(parseImageRef(repository));
  const infos = Object.entries(tags).flatMap(([tag, time]): readonly (readonly [string, ImageInfo])[] => {
    const createdAt = time === null ? undefined : parseTimestamp(time);
    const info = { ref: { ...name, tag, sha: "" }, digest: "", imageId: "", labels: {} };
    return time === null ? [] : [[tag, createdAt === undefined ? info : { ...info, createdAt }]];
  });
  return { tags: Object.keys(tags), images: new Map(infos) };
}

/** The workloads that run in that world. */
export function workloadsOf({ git, cluster }: World): readonly Workload[] {
  return Object.entries(cluster ?? git).flatMap(([id, written]) =>
    written === null ? [] : [workloadOf(id, written)],
  );
}

function workloadOf(id: string, written: Written): Workload {
  return {
    id: parseResourceId(id),
    status: "ready",
    rollout: { desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: null },
    labels: null,
    policies: written.policies ?? {},
    ...liveContainersOf(written),
  };
}

/** As the cluster tells them: one image that cannot be read makes all unknown. */
function liveContainersOf(written: Written): Pick<Workload, "containers" | "unreadable"> {
  const bad = Object.values(written.images).find((image) => problemOf(image) !== undefined);
  const unreadable = bad === undefined ? undefined : problemOf(bad);
  return unreadable === undefined ? { containers: containersOf(written) } : { containers: [], unreadable };
}

function problemOf(image: string): string | undefined {
  try {
    parseImageRef(image);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function containersOf({ images }: Written): readonly Container[] {
  return Object.entries(images).map(([name, image]) => ({ name, image: parseImageRefLoosely(image) }));
}

function imagesFor(
  { images }: UpdatePlanner,
  candidates: Parameters<typeof repositoriesOf>[0],
  { registry = {} }: World,
): ImageRepositories {
  if (images.kind === "one") {
    return exactlyOneImage(images.ref);
  }
  const known = new ImageRepositories(
    Object.entries(registry).map(([repository, tags]) => [
      parseImageRef(repository),
      metadataOf(repository, tags),
    ]),
  );
  return new ImageRepositories(repositoriesOf(candidates).map((name) => [name, known.metadata(name)]));
}
