import type { ContainerImagesReport } from "../../api/types/api-server.ts";
import { type ImageInfo, type RepositoryMetadata, unknownImageInfo } from "../../image/info.ts";
import { type ImageName, printImageName } from "../../image/name.ts";
import { emptyImageRef } from "../../image/ref.ts";
import { isNewerImage, sortImages } from "../../image/sort.ts";
import type { TagPattern } from "../../image/tag-pattern.ts";
import type { Container } from "../../resource/resource.ts";
import { allowsTag, type ImageRepositories } from "../../update/images.ts";

const containerFields = [
  "Name",
  "Current",
  "LatestFiltered",
  "Available",
  "AvailableError",
  "AvailableImagesCount",
  "NewAvailableImagesCount",
  "FilteredImagesCount",
  "NewFilteredImagesCount",
] as const;

/** A field of v6.Container that can be asked for. */
export type ContainerField = (typeof containerFields)[number];

/** A field is asked for that containers have not got. */
export class UnknownFieldError extends Error {
  override readonly name = "UnknownFieldError";
  readonly field: string;

  constructor(field: string) {
    super(`${field} is an invalid field`);
    this.field = field;
  }
}

/** The fields that are named, all of them where none is. Throws UnknownFieldError. */
export function parseContainerFields(names: readonly string[]): ReadonlySet<ContainerField> {
  const fields = names.map((name) => {
    const field = containerFields.find((each) => each === name);
    if (field === undefined) {
      throw new UnknownFieldError(name);
    }
    return field;
  });
  return new Set(fields.length === 0 ? containerFields : fields);
}

/** The images of repositories, sorted no more often than needed: many containers share a repository. */
export class SortedImages {
  readonly #repositories: ImageRepositories;
  readonly #sorted = new Map<string, readonly ImageInfo[]>();

  constructor(repositories: ImageRepositories) {
    this.#repositories = repositories;
  }

  /** All images of a repository as a pattern sorts them; a tag without metadata is an image of which nothing is known. */
  of(name: ImageName, pattern: TagPattern): readonly ImageInfo[] {
    const key = `${pattern.kind === "semver" ? "versions" : "times"} ${printImageName(name)}`;
    const sorted = this.#sorted.get(key) ?? sortImages(infosOf(this.#repositories.metadata(name)), pattern);
    this.#sorted.set(key, sorted);
    return sorted;
  }
}

/** What there is for a container whose tag filter is `pattern`; fields that are not wanted stay empty. */
export function containerImages(
  { name, image }: Container,
  images: SortedImages,
  pattern: TagPattern,
  fields: ReadonlySet<ContainerField>,
): ContainerImagesReport {
  const available = images.of(image, pattern);
  const filtered = available.filter(({ ref }) => allowsTag(pattern, ref.tag));
  const current = available.find(({ ref }) => ref.tag === image.tag && ref.image !== "") ?? nothing;
  const newer = (infos: readonly ImageInfo[]): number => countNewer(infos, current, pattern);
  const wanted = <T>(field: ContainerField, value: () => T, otherwise: T): T =>
    fields.has(field) ? value() : otherwise;
  return {
    name: wanted("Name", () => name, ""),
    current: wanted("Current", () => current, nothing),
    latestFiltered: wanted("LatestFiltered", () => filtered[0] ?? nothing, nothing),
    available: wanted("Available", () => available, []),
    availableError: "",
    availableCount: wanted("AvailableImagesCount", () => available.length, 0),
    newAvailableCount: wanted("NewAvailableImagesCount", () => newer(available), 0),
    filteredCount: wanted("FilteredImagesCount", () => filtered.length, 0),
    newFilteredCount: wanted("NewFilteredImagesCount", () => newer(filtered), 0),
  };
}

const nothing = unknownImageInfo(emptyImageRef);

function infosOf({ tags, images }: RepositoryMetadata): readonly ImageInfo[] {
  return tags.map((tag) => images.get(tag) ?? unknownImageInfo({ ...emptyImageRef, tag }));
}

/** How many images stand before the first that is no newer than what runs. */
function countNewer(infos: readonly ImageInfo[], current: ImageInfo, pattern: TagPattern): number {
  const end = infos.findIndex((info) => !isNewerImage(info, current, pattern));
  return end < 0 ? infos.length : end;
}
