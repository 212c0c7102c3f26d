import { equalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { type ContainerUpdate, parseImageRef, type ResourceId, type ResourcePreview } from "@weir/flux";
import type { InspectionClient } from "@weir/flux/client";
import type { JobSpec } from "../contract/jobs.ts";
import { Problem } from "../problem/problem.ts";
import { requireInspection } from "./ask.ts";
import { type DryRun, type Pins, planPinned } from "./plan-release.ts";
import type { Planned } from "./planned.ts";
import { shownChanges } from "./previews.ts";
import { workloadsNamed } from "./touched.ts";

type TakeOver = Extract<JobSpec, { kind: "take-over" }>;

/**
 * What putting the live images of workloads into git would do. Images are all that daemons can write into any manifest:
 * rejects with a Problem for workloads that differ in anything else.
 */
export async function planTakeOver({ ids }: TakeOver, dryRun: DryRun): Promise<Planned> {
  const { daemon, signal } = dryRun;
  const workloads = workloadsNamed(ids);
  const inspection = await requireInspection(daemon, "Taking over into git", signal);
  const changes = shownChanges(
    (await inspection.diff({ ref: await syncedOf(inspection, signal) }, signal)).changes,
  );
  const pins: Pins = new Map(workloads.map((id) => [id, liveImages(id, changes)]));
  return planPinned({ pins, force: false }, dryRun);
}

/** The commit with which the cluster is compared: what was synced, since later ones differ on purpose; "" for the newest. */
export async function syncedOf(inspection: InspectionClient, signal: AbortSignal): Promise<string> {
  return (await inspection.status({ fetch: false, brief: true }, signal)).synced;
}

/** The containers of a workload that run another image than in git. Throws a Problem if it differs in anything else. */
export function liveImages(id: ResourceId, changes: readonly ResourcePreview[]): readonly ContainerUpdate[] {
  const change = changes.find((each) => each.id === id);
  if (change === undefined) {
    throw cannot(id, "it's as in git", "Look at the list of what differs again.");
  }
  const { before: live, after: git } = change;
  if (live === null || git === null) {
    const [why, remedy] =
      live === null
        ? ["it isn't in the cluster", "Sync, which creates it, or delete its manifest in git."]
        : ["it isn't in git", "Add its manifest to git."];
    throw cannot(id, why, remedy);
  }
  const updates = containersOf(git).flatMap(({ name, image }) => {
    const runs = containersOf(live).find((each) => each.name === name)?.image;
    return runs === undefined || runs === image ? [] : [{ container: name, from: image, to: runs }];
  });
  if (updates.length === 0 || !equalJson(withoutImages(live), withoutImages(git))) {
    throw cannot(
      id,
      "it doesn't differ only in images",
      "Change its manifest in git as the comparison shows, or put it back with a sync.",
    );
  }
  return updates.map(({ container, from, to }) => ({
    container,
    current: parseImageRef(from),
    target: parseImageRef(to),
  }));
}

function cannot(id: ResourceId, why: string, remedy: string): Problem {
  return new Problem("refused", `${id} can't be taken over into git: ${why}.`, { advice: remedy });
}

interface Image {
  readonly name: string;
  readonly image: string;
}

const containerLists: readonly string[] = ["containers", "initContainers"];

/** The containers of the pods that an object makes, wherever its kind has them. */
function containersOf(value: JsonValue): readonly Image[] {
  if (isJsonArray(value)) {
    return value.flatMap(containersOf);
  }
  if (!isJsonObject(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([key, member]) => {
    if (member === undefined) {
      return [];
    }
    return containerLists.includes(key) && isJsonArray(member)
      ? member.flatMap(imageOf)
      : containersOf(member);
  });
}

function imageOf(container: JsonValue): readonly Image[] {
  const { name, image } = isJsonObject(container) ? container : {};
  return typeof name === "string" && typeof image === "string" ? [{ name, image }] : [];
}

function withoutImages(value: JsonObject): JsonValue {
  return mapContainers(value, (container) => ({ ...container, image: "" }));
}

function mapContainers(value: JsonValue, change: (container: JsonObject) => JsonObject): JsonValue {
  if (isJsonArray(value)) {
    return value.map((each) => mapContainers(each, change));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value).map(([key, member]): [string, JsonValue] => [
    key,
    containerLists.includes(key) && isJsonArray(member)
      ? member.map((each) => (isJsonObject(each) ? change(each) : each))
      : mapContainers(member ?? null, change),
  ]);
  return Object.fromEntries(members);
}
