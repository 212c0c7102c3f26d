/**
 * Lists of images as JSON, in the types of API version 6. Decoders throw JsonShapeError or
 * InvalidResourceIdError.
 */
import { type JsonObject, JsonReader, type JsonValue, listAt } from "@weir/base";
import type { ImageInfo } from "../image/info.ts";
import { unknownImageInfo } from "../image/info.ts";
import { emptyImageRef } from "../image/ref.ts";
import { decodeImageInfo, encodeImageInfo } from "../image/wire.ts";
import { parseResourceId } from "../resource/id.ts";
import type { ContainerImagesReport, WorkloadImagesReport } from "./api-server.ts";

/** v6.ImageStatus[]; null for an empty list, as in Flux v1. */
export function encodeImageList(workloads: readonly WorkloadImagesReport[]): readonly JsonObject[] | null {
  return workloads.length === 0 ? null : workloads.map(encodeWorkloadImages);
}

/** Decodes the result of encodeImageList. */
export function decodeImageList(value: JsonValue): readonly WorkloadImagesReport[] {
  return value === null ? [] : listAt(value, "", decodeWorkloadImages);
}

function encodeWorkloadImages({ id, containers }: WorkloadImagesReport): JsonObject {
  return { ID: id, Containers: containers.length === 0 ? null : containers.map(encodeContainerImages) };
}

function decodeWorkloadImages(value: JsonValue, path: string): WorkloadImagesReport {
  const reader = new JsonReader(value, path);
  return {
    id: parseResourceId(reader.text("ID")),
    containers: reader.list("Containers", decodeContainerImages) ?? [],
  };
}

/** v6.Container: empty and zero fields are omitted, except the two images. */
function encodeContainerImages(container: ContainerImagesReport): JsonObject {
  return {
    ...(container.name === "" ? {} : { Name: container.name }),
    Current: encodeImageInfo(container.current),
    LatestFiltered: encodeImageInfo(container.latestFiltered),
    ...(container.available.length === 0 ? {} : { Available: container.available.map(encodeImageInfo) }),
    ...(container.availableError === "" ? {} : { AvailableError: container.availableError }),
    ...unlessZero("AvailableImagesCount", container.availableCount),
    ...unlessZero("NewAvailableImagesCount", container.newAvailableCount),
    ...unlessZero("FilteredImagesCount", container.filteredCount),
    ...unlessZero("NewFilteredImagesCount", container.newFilteredCount),
  };
}

function decodeContainerImages(value: JsonValue, path: string): ContainerImagesReport {
  const reader = new JsonReader(value, path);
  return {
    name: reader.text("Name"),
    current: imageIn(reader, "Current"),
    latestFiltered: imageIn(reader, "LatestFiltered"),
    available: reader.list("Available", decodeImageInfo) ?? [],
    availableError: reader.text("AvailableError"),
    availableCount: reader.integer("AvailableImagesCount"),
    newAvailableCount: reader.integer("NewAvailableImagesCount"),
    filteredCount: reader.integer("FilteredImagesCount"),
    newFilteredCount: reader.integer("NewFilteredImagesCount"),
  };
}

function imageIn(reader: JsonReader, key: string): ImageInfo {
  return reader.value(key, decodeImageInfo) ?? unknownImageInfo(emptyImageRef);
}

function unlessZero(key: string, count: number): JsonObject {
  return count === 0 ? {} : { [key]: count };
}
