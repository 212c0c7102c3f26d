import type { ContainerImagesReport, WorkloadImagesReport } from "../../../src/api/types/api-server.ts";
import type { ImageInfo } from "../../../src/image/info.ts";
import { printImageName } from "../../../src/image/name.ts";
import { isSameImage } from "../../../src/image/ref.ts";
import type { Timestamp } from "../../../src/image/timestamp.ts";
import { alignTabs } from "./table.ts";

/** How the table of images is to look. */
export interface ImageTableOptions {
  readonly headers: boolean;
  /** How many images to show for a container, besides the one that runs; all where it is not positive. */
  readonly limit: number;
}

/** The table of list-images: for each container its images, the newest first, with a mark at the one that runs. */
export function printImages(workloads: readonly WorkloadImagesReport[], options: ImageTableOptions): string {
  const heading = options.headers ? ["WORKLOAD\tCONTAINER\tIMAGE\tCREATED"] : [];
  const lines = [...heading, ...workloads.flatMap((workload) => workloadLines(workload, options))];
  return alignTabs(lines.map((line) => `${line}\n`).join(""));
}

function workloadLines(
  { id, containers }: WorkloadImagesReport,
  { limit }: ImageTableOptions,
): readonly string[] {
  return containers.length === 0
    ? [`${id}\t\t\t`]
    : containers.flatMap((container, index) => containerLines(index === 0 ? id : "", container, limit));
}

function containerLines(id: string, container: ContainerImagesReport, limit: number): readonly string[] {
  const { name, current, available, availableError } = container;
  const problem = available.length > 0 ? "" : availableError || "image data not available";
  const running = available.findIndex(({ ref }) => ref.tag === current.ref.tag);
  const unlisted = running < 0 ? [`\t\t'-> ${current.ref.tag || "(untagged)"}\t?`] : [];
  return [
    `${id}\t${name}\t${printImageName(current.ref)}\t${problem}`,
    ...available.flatMap((image, index) => imageLines(image, index, running, current, limit)),
    ...unlisted,
  ];
}

/** As Flux v1: beyond the limit only the running image is shown, and before it how many are not. */
function imageLines(
  image: ImageInfo,
  index: number,
  running: number,
  current: ImageInfo,
  limit: number,
): readonly string[] {
  const line = `\t\t${markOf(image, index, running, current)} ${image.ref.tag}\t${printTime(image.createdAt)}`;
  if (limit <= 0 || index < limit) {
    return [line];
  }
  if (!isSameImage(image.ref, current.ref)) {
    return [];
  }
  const omitted = index - limit;
  return omitted === 0 ? [line] : [`\t\t: (${omitted} image(s) omitted)\t`, line];
}

function markOf({ ref }: ImageInfo, index: number, running: number, current: ImageInfo): string {
  if (ref.tag === current.ref.tag) {
    return "'->";
  }
  return running >= 0 && index > running ? "   " : "|  ";
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** As Go's RFC822, "02 Jan 06 15:04 UTC"; "" for a time that is not known. */
function printTime(time: Timestamp | undefined): string {
  const [, year, month, day, clock] = /^\d\d(\d\d)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(time ?? "") ?? [];
  return year === undefined ? "" : `${day} ${months[Number(month) - 1]} ${year} ${clock} UTC`;
}
