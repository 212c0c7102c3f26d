import {
  containerOfTagPolicy,
  latestImageSpec,
  printImageRef,
  type ReleaseImageSpec,
  type ResourceId,
  readResourceId,
  type UpdateResult,
  type WorkloadResult,
} from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import { unknownWorkload } from "../advice/on-workloads.ts";

/** A release that doesn't change everything that was asked for. */
export interface Unchanged {
  readonly spec: ReleaseImageSpec;
  /** What the release does, or what a dry run says that it would do. */
  readonly result: UpdateResult;
  /** The cluster's workloads. */
  readonly workloads: readonly WorkloadStatusReport[];
  /** Those whose images couldn't be scanned, which is told elsewhere. */
  readonly unscanned: ReadonlySet<ResourceId>;
}

/** The most workloads to name for one reason. */
const shownWorkloads = 5;

/**
 * Why a release leaves workloads as they are, and what can be done: of each workload that was named, and where all were
 * asked for and none changes, of each reason. In lines for people.
 */
export function explainUnchanged(unchanged: Unchanged): readonly string[] {
  const { spec, result } = unchanged;
  const named = (spec.workloads ?? []).flatMap((each) => readResourceId(each) ?? []);
  if (named.length > 0) {
    return named
      .filter((id) => !isChanged(result.get(id)) && !unchanged.unscanned.has(id))
      .flatMap((id) => explainOne(id, result.get(id)?.error ?? "", unchanged));
  }
  return [...result.values()].some(isChanged) ? [] : explainAll(unchanged);
}

/** The workloads for which no image was found that they could be updated to. */
export function withoutImages({ spec, result }: Pick<Unchanged, "spec" | "result">): readonly ResourceId[] {
  // Flux v1 calls it so where the newest image is asked for, but no image is known.
  const reasons = spec.image === latestImageSpec ? [noImages, notUsed] : [noImages];
  return [...result].filter(([, { error = "" }]) => reasons.includes(error)).map(([id]) => id);
}

const noImages = "cannot find one or more images";
const notUsed = "does not use image(s)";

function isChanged(result: WorkloadResult | undefined): boolean {
  return result?.status === "success";
}

function explainOne(id: ResourceId, reason: string, { spec, workloads }: Unchanged): readonly string[] {
  const live = workloads.find((workload) => workload.id === id);
  const policies = live?.policies ?? {};
  switch (reason) {
    case "locked": {
      const by = policies["locked_user"] ? ` by ${policies["locked_user"]}` : "";
      const why = policies["locked_msg"] ? `: ${policies["locked_msg"]}` : "";
      const force = spec.image === latestImageSpec ? "" : ", or release it with --force";
      return [`${id} is locked${by}${why}`, `To unlock it: fluxctl unlock -w ${id}${force}`];
    }
    case "ignore":
      return [`${id} is ignored: it has the annotation fluxcd.io/ignore in the cluster.`];
    case "image(s) up to date":
      return [`${id} runs the newest image already${filtersOf(policies)}.`];
    case noImages:
      return noImageLines(id, spec.image, policies);
    case notUsed:
    case "a different image":
      return spec.image === latestImageSpec
        ? noImageLines(id, spec.image, policies)
        : [`${id} doesn't use this image; it runs ${imagesOf(live)}.`];
    case "not found in repository":
      return live === undefined
        ? unknownWorkload(
            id,
            workloads.map((workload) => workload.id),
          )
        : [`${id} is in the cluster, but not in git, so fluxd can't release it.`];
    case "not accessible in cluster":
      return [`${id} is in git, but not in the cluster. To see why: fluxctl tree -a --unhealthy`];
    case "":
      return live === undefined
        ? unknownWorkload(
            id,
            workloads.map((workload) => workload.id),
          )
        : [];
    default:
      return [`${id}: ${reason}`];
  }
}

function noImageLines(
  id: ResourceId,
  image: string,
  policies: WorkloadStatusReport["policies"],
): readonly string[] {
  const filters = filtersOf(policies);
  if (filters === "") {
    return [`fluxd knows no images for ${id}.`];
  }
  if (image === latestImageSpec) {
    return [`No image passes the tag filters of ${id}${filters}.`];
  }
  return [
    `The tag filter of ${id} doesn't let ${image} through${filters}.`,
    "To release it anyway, use --force; to change the filter, fluxctl policy --tag.",
  ];
}

/** E.g. " (tag filters: main=glob:1.*)"; "" without any. */
function filtersOf(policies: WorkloadStatusReport["policies"]): string {
  const filters = Object.entries(policies).flatMap(([policy, pattern]) => {
    const container = containerOfTagPolicy(policy);
    return container === undefined ? [] : [`${container}=${pattern}`];
  });
  return filters.length === 0 ? "" : ` (tag filters: ${filters.toSorted().join(", ")})`;
}

function imagesOf(workload: WorkloadStatusReport | undefined): string {
  const images = (workload?.containers ?? []).map(({ image }) => printImageRef(image));
  return images.length === 0 ? "no image that fluxd can read" : images.join(", ");
}

/** A line for each reason, the workloads with it, and how many more have it. */
function explainAll({ result }: Unchanged): readonly string[] {
  const byReason = Map.groupBy(
    [...result].filter(([, { error = "" }]) => error !== "" && error !== "excluded"),
    ([, { error = "" }]) => error,
  );
  const lines = [...byReason].map(([reason, group]) => {
    const ids = group.map(([id]) => id).toSorted();
    const more = ids.length > shownWorkloads ? `, and ${ids.length - shownWorkloads} more` : "";
    return `${reason}: ${ids.slice(0, shownWorkloads).join(", ")}${more}`;
  });
  return lines.length === 0 ? ["There are no workloads in git that could be released."] : lines.toSorted();
}
