/** What's known about the images of containers, and why no more is. Takes data of earlier scans only. */
import { messageOf } from "@weir/base";
import {
  allowsTag,
  type Container,
  canonicalImageName,
  everyTag,
  FluxError,
  hasPolicy,
  type ImageName,
  type ImageRef,
  type ImageRegistry,
  isSameImage,
  newestImage,
  newestOf,
  type PolicySet,
  printImageName,
  type RepositoryMetadata,
  tagPatternOf,
} from "@weir/flux";
import type { WhyScan } from "@weir/flux/api";

/** A repository according to the last scan. */
export interface ScannedRepository extends WhyScan {
  readonly metadata: RepositoryMetadata;
}

/** Everything that decides whether a container gets another image. */
export interface ImageState {
  readonly container: string;
  readonly current: ImageRef;
  /** The tag filter with its prefix. */
  readonly filter: string;
  readonly scan: WhyScan;
  /** The tag of the newest image that the filter allows; undefined if it's the current one, or if there's none. */
  readonly newest: string | undefined;
  /** The newest tag that only the filter excludes, if it's newer than what the filter allows. */
  readonly excluded: string | undefined;
  /** Why the newest one can't be determined; "" if it can. */
  readonly unknown: string;
  readonly isAutomated: boolean;
  readonly isLocked: boolean;
  readonly lockedBy: string;
  readonly lockMessage: string;
  readonly isIgnored: boolean;
}

/** Looks up a repository in the last scan. Rejects only when aborted. */
export async function scanOf(
  name: ImageName,
  registry: Pick<ImageRegistry, "repositoryMetadata">,
  signal: AbortSignal,
): Promise<ScannedRepository> {
  const nothing = { metadata: { tags: [], images: new Map() }, tags: 0 } as const;
  try {
    const metadata = await registry.repositoryMetadata(name, signal);
    const { scanError: error = "", tags } = metadata;
    return { state: error === "" ? "scanned" : "stale", error, tags: tags.length, metadata };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FluxError && error.kind === "missing") {
      return { ...nothing, state: "waiting", error: "" };
    }
    const isOff = error instanceof Error && error.name === "ScanningDisabledError";
    const message = messageOf(error).replace(/^item not in cache, last error: /, "");
    return { ...nothing, state: isOff ? "off" : "failed", error: isOff ? "" : message };
  }
}

/** Looks up the repositories of images, each once; by their canonical names. */
export async function scansOf(
  images: readonly ImageName[],
  registry: Pick<ImageRegistry, "repositoryMetadata">,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ScannedRepository>> {
  const names = new Map(images.map((image) => [scanKey(image), image]));
  const scans = [...names].map(async ([key, image]) => [key, await scanOf(image, registry, signal)] as const);
  return new Map(await Promise.all(scans));
}

/** The name of a repository in the result of `scansOf`. */
export function scanKey(image: ImageName): string {
  return printImageName(canonicalImageName(image));
}

/** What decides about one container. Pure. */
export function imageState(
  { name, image }: Container,
  policies: PolicySet,
  { metadata, state, error, tags }: ScannedRepository,
): ImageState {
  const pattern = tagPatternOf(policies, name);
  const newest = newestImage(metadata, pattern);
  const allowed = newest.kind === "found" ? newest.image.ref.tag : undefined;
  return {
    container: name,
    current: image,
    filter: pattern.text,
    scan: { state, error, tags },
    newest: allowed === undefined || isTag(image, allowed) ? undefined : allowed,
    excluded: newest.kind === "unknown" ? undefined : excludedTag(metadata, pattern, [image.tag, allowed]),
    unknown: newest.kind === "unknown" ? newest.reason.message : "",
    isAutomated: hasPolicy(policies, "automated"),
    isLocked: hasPolicy(policies, "locked"),
    lockedBy: policies["locked_user"] ?? "",
    lockMessage: policies["locked_msg"] ?? "",
    isIgnored: hasPolicy(policies, "ignore"),
  };
}

function isTag(image: ImageRef, tag: string): boolean {
  return isSameImage({ ...image, tag, sha: "" }, image);
}

/** Among all tags, the newest one if only the filter excludes it. */
function excludedTag(
  { images }: RepositoryMetadata,
  pattern: ReturnType<typeof tagPatternOf>,
  known: readonly (string | undefined)[],
): string | undefined {
  const infos = [...images.values()].filter(({ ref }) => allowsTag(everyTag, ref.tag));
  const newest = newestOf(infos, pattern)?.ref.tag;
  return newest === undefined || known.includes(newest) || allowsTag(pattern, newest) ? undefined : newest;
}
