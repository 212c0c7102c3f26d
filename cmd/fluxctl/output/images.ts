import { printHumanDuration } from "@weir/base";
import { type ImageInfo, isSameImage, printImageName, type Timestamp } from "@weir/flux";
import type { ContainerImagesReport, WorkloadImagesReport } from "@weir/flux/api";
import type { Paint } from "./paint.ts";
import { printLines, type TableLook } from "./table.ts";

/** How to print the table of images. */
export interface ImageTableLook extends TableLook {
  /** How many images to show for a container, in addition to the running one; all if it isn't positive. */
  readonly limit: number;
  /** The current time in milliseconds since the epoch, from which a wide table computes ages. */
  readonly now: number;
}

/**
 * Prints the table of list-images: for each container its images, newest first, with a mark at the running
 * one. A wide table also has their ages and digests.
 */
export function printImages(workloads: readonly WorkloadImagesReport[], look: ImageTableLook): string {
  const names = ["WORKLOAD", "CONTAINER", "IMAGE", "CREATED", ...(look.wide ? ["AGE", "DIGEST"] : [])];
  const heading = look.headers ? [names.map(look.paint.heading).join("\t")] : [];
  return printLines([...heading, ...workloads.flatMap((workload) => workloadLines(workload, look))]);
}

function workloadLines({ id, containers }: WorkloadImagesReport, look: ImageTableLook): readonly string[] {
  return containers.length === 0
    ? [`${id}\t\t\t${look.wide ? "\t\t" : ""}`]
    : containers.flatMap((container, index) => containerLines(index === 0 ? id : "", container, look));
}

function containerLines(
  id: string,
  container: ContainerImagesReport,
  look: ImageTableLook,
): readonly string[] {
  const { name, current, available, availableError } = container;
  const { paint } = look;
  const problem = available.length > 0 ? "" : paint.bad(availableError || "image data not available");
  const running = available.findIndex(({ ref }) => ref.tag === current.ref.tag);
  const rest = look.wide ? "\t\t" : "";
  const mark = paint.good(`'-> ${current.ref.tag || "(untagged)"}`);
  return [
    `${id}\t${name}\t${printImageName(current.ref)}\t${problem}${rest}`,
    ...available.flatMap((image, index) => imageLines(image, index, running, current, look)),
    ...(running < 0 ? [`\t\t${mark}\t?${rest}`] : []),
  ];
}

/**
 * As Flux v1: beyond the limit, only the running image is shown, preceded by the number of omitted images.
 */
function imageLines(
  image: ImageInfo,
  index: number,
  running: number,
  current: ImageInfo,
  look: ImageTableLook,
): readonly string[] {
  const { limit, paint, wide } = look;
  const line = `\t\t${printTag(image, index, running, current, paint)}\t${printTime(image.createdAt)}${wide ? wideCells(image, look) : ""}`;
  if (limit <= 0 || index < limit) {
    return [line];
  }
  if (!isSameImage(image.ref, current.ref)) {
    return [];
  }
  const omitted = index - limit;
  const note = `\t\t: (${omitted} image(s) omitted)\t${wide ? "\t\t" : ""}`;
  return omitted === 0 ? [line] : [note, line];
}

function printTag(
  image: ImageInfo,
  index: number,
  running: number,
  current: ImageInfo,
  paint: Paint,
): string {
  const text = `${markOf(image, index, running, current)} ${image.ref.tag}`;
  if (image.ref.tag === current.ref.tag) {
    return paint.good(text);
  }
  return running >= 0 && index > running ? paint.faint(text) : text;
}

function wideCells({ createdAt, digest }: ImageInfo, { now }: ImageTableLook): string {
  const age = createdAt === undefined ? "" : printHumanDuration(now - Date.parse(createdAt));
  return `\t${age}\t${digest}`;
}

function markOf({ ref }: ImageInfo, index: number, running: number, current: ImageInfo): string {
  if (ref.tag === current.ref.tag) {
    return "'->";
  }
  return running >= 0 && index > running ? "   " : "|  ";
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** As Go's RFC822, "02 Jan 06 15:04 UTC"; "" for an unknown time. */
function printTime(time: Timestamp | undefined): string {
  const [, year, month, day, clock] = /^\d\d(\d\d)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(time ?? "") ?? [];
  return year === undefined ? "" : `${day} ${months[Number(month) - 1]} ${year} ${clock} UTC`;
}
