import { isJsonObject, type JsonObject } from "@weir/base";
import type { WorkloadObject } from "../generators/objects.ts";
import { printName, printRef } from "./image-ref.ts";
import { isNewer, newestFirst, type TaggedImage } from "./images.ts";
import { allows, readFilter } from "./tag-filter.ts";
import { antecedentOf, idOf, policiesInGit, runningOf } from "./workload.ts";
import { filterOf, type ModelContainer, type ModelRegistry, tagsOf } from "./world.ts";

/** A live workload, and its manifest where git has it. */
export interface Listed {
  readonly live: WorkloadObject;
  readonly inGit: WorkloadObject | undefined;
}

/** How the API lists a workload, but for its rollout. pkg/daemon/daemon.go, ListServicesWithOptions. */
export function serviceEntry({ live, inGit }: Listed): JsonObject {
  const policies = inGit ? policiesInGit(inGit) : {};
  const { labels } = live.metadata as { readonly labels?: JsonObject };
  return {
    ID: idOf(live),
    Containers: runningOf(live).containers.map(({ name, image }) => ({
      Name: name,
      Current: { ID: printRef(image), Labels: {} },
      LatestFiltered: { ID: "", Labels: {} },
    })),
    ReadOnly: inGit ? "" : "NotInRepo",
    SyncError: "",
    Antecedent: antecedentOf(live),
    // What was synced bears a label besides, the mark of its repository.
    Labels: isJsonObject(labels) ? labels : inGit ? {} : null,
    Automated: policies["automated"] === "true",
    Locked: policies["locked"] === "true",
    Ignore: policies["ignore"] === "true",
    Policies: policies,
  };
}

/** How the API lists the images of a workload. pkg/daemon/daemon.go, ListImagesWithOptions. */
export function imagesEntry({ live, inGit }: Listed, registry: ModelRegistry): JsonObject {
  const policies = inGit ? policiesInGit(inGit) : {};
  const containers = runningOf(live).containers.map((container) =>
    containerEntry(container, filterOf(policies, container.name), registry),
  );
  return { ID: idOf(live), Containers: containers.length === 0 ? null : containers };
}

/** Whatever is empty or 0 is left out, but for the two images. pkg/api/v6/container.go. */
function containerEntry(
  { name, image }: ModelContainer,
  filter: string,
  registry: ModelRegistry,
): JsonObject {
  const tags = tagsOf(registry, image);
  const { by } = readFilter(filter);
  const available = newestFirst(
    Object.entries(tags).map(([tag, created]) => ({
      tag,
      created: created ?? "",
      // Of a tag of which nothing is known there is not even a name.
      id: created === null ? `:${tag}` : `${printName(image)}:${tag}`,
    })),
    by,
  );
  const filtered = available.filter(({ tag }) => allows(filter, tag));
  const current = available.find(({ tag }) => tag === image.tag && (tags[tag] ?? null) !== null) ?? nothing;
  return {
    Name: name,
    Current: info(current),
    LatestFiltered: info(filtered[0] ?? nothing),
    ...(available.length === 0 ? {} : { Available: available.map(info) }),
    ...count("AvailableImagesCount", available.length),
    ...count("NewAvailableImagesCount", newer(available, current, by)),
    ...count("FilteredImagesCount", filtered.length),
    ...count("NewFilteredImagesCount", newer(filtered, current, by)),
  };
}

const nothing: TaggedImage = { tag: "", created: "", id: "" };

function info({ id = "", created }: TaggedImage): JsonObject {
  return { ID: id, Labels: {}, ...(created === "" ? {} : { CreatedAt: created }) };
}

function newer(images: readonly TaggedImage[], current: TaggedImage, by: "time" | "version"): number {
  const end = images.findIndex((image) => !isNewer(image, current, by));
  return end < 0 ? images.length : end;
}

function count(key: string, number: number): JsonObject {
  return number === 0 ? {} : { [key]: number };
}
