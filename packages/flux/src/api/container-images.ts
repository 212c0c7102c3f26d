import { type ImageInfo, unknownImageInfo } from "../image/info.ts";
import { emptyImageRef } from "../image/ref.ts";
import { isNewerImage } from "../image/sort.ts";
import type { TagPattern } from "../image/tag-pattern.ts";
import { allowsTag } from "../update/images.ts";
import type { ContainerImagesReport } from "./api-server.ts";

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

/** A field of v6.Container that can be requested. */
export type ContainerField = (typeof containerFields)[number];

/** A requested container field doesn't exist. */
export class UnknownFieldError extends Error {
  override readonly name = "UnknownFieldError";
  readonly field: string;

  constructor(field: string) {
    super(`${field} is an invalid field`);
    this.field = field;
  }
}

/** The named fields, or all of them if none is named. Throws UnknownFieldError. */
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

/** A container's data before filtering and counting. */
export interface ContainerFacts {
  readonly name: string;
  readonly current: ImageInfo;
  /** In the order of the tag filter. */
  readonly available: readonly ImageInfo[];
}

/**
 * The report for a container whose tag filter is `pattern`; fields that weren't requested stay empty. As Flux
 * v1.
 */
export function reportContainer(
  { name, current, available }: ContainerFacts,
  pattern: TagPattern,
  fields: ReadonlySet<ContainerField>,
): ContainerImagesReport {
  const filtered = available.filter(({ ref }) => allowsTag(pattern, ref.tag));
  const newer = (infos: readonly ImageInfo[]): number => countNewer(infos, current, pattern);
  const wanted = <T>(field: ContainerField, value: () => T, otherwise: T): T =>
    fields.has(field) ? value() : otherwise;
  return {
    name: wanted("Name", () => name, ""),
    current: wanted("Current", () => current, noImage),
    latestFiltered: wanted("LatestFiltered", () => filtered[0] ?? noImage, noImage),
    available: wanted("Available", () => available, []),
    availableError: "",
    availableCount: wanted("AvailableImagesCount", () => available.length, 0),
    newAvailableCount: wanted("NewAvailableImagesCount", () => newer(available), 0),
    filteredCount: wanted("FilteredImagesCount", () => filtered.length, 0),
    newFilteredCount: wanted("NewFilteredImagesCount", () => newer(filtered), 0),
  };
}

/** An image without metadata. */
export const noImage = unknownImageInfo(emptyImageRef);

/** How many images come before the first one that isn't newer than the running image. */
function countNewer(infos: readonly ImageInfo[], current: ImageInfo, pattern: TagPattern): number {
  const end = infos.findIndex((info) => !isNewerImage(info, current, pattern));
  return end < 0 ? infos.length : end;
}
