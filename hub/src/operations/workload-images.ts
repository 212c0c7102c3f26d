/** The images of a workload's containers, and why they run what they run. Decides only. */

import {
  allowsTag,
  type Container,
  hasPolicy,
  type ImageInfo,
  isSameImage,
  printImageRef,
  tagPatternOf,
  tagPolicyOf,
} from "@weir/flux";
import type {
  ContainerImagesReport,
  WhyCause,
  WhyReport,
  WorkloadImagesReport,
  WorkloadStatusReport,
} from "@weir/flux/api";
import type { Answer } from "../contract/schemas.ts";

type Containers = Answer<"workloadImages">["containers"];
type Reasons = Answer<"why">["containers"][number];

/** The most images of a container that are sent, of which some repositories have thousands. */
const mostImages = 500;

/** The images that containers could run, newest first. */
export function imagesOf(
  { containers, policies }: WorkloadStatusReport,
  images: WorkloadImagesReport | undefined,
): { containers: Containers } {
  return {
    containers: containers.map(({ name, image }) => {
      const found = images?.containers.find((each) => each.name === name);
      const pattern = tagPatternOf(policies, name);
      return {
        container: name,
        filter: policies[tagPolicyOf(name)] ?? "",
        images: (found?.available ?? []).slice(0, mostImages).map((info) => ({
          ref: printImageRef(info.ref),
          createdAt: createdAt(info),
          digest: info.digest,
          running: isSameImage(info.ref, image),
          allowed: allowsTag(pattern, info.ref.tag),
        })),
        total: Math.max(found?.availableCount ?? 0, found?.available.length ?? 0),
        problem: problemOf(found),
      };
    }),
  };
}

function createdAt(info: ImageInfo): string | null {
  const time = new Date(info.createdAt ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function problemOf(found: ContainerImagesReport | undefined): string {
  if (found === undefined) {
    return "The daemon says nothing about the images of this container.";
  }
  if (found.availableError !== "") {
    return found.availableError;
  }
  return found.available.length > 0
    ? ""
    : "The daemon knows no images of this repository: it hasn't scanned it, can't read it, or doesn't scan at all.";
}

/** Why automation does or doesn't update containers: by what every daemon says, and what Weir's add. */
export function whyOf(
  workload: WorkloadStatusReport,
  images: WorkloadImagesReport | undefined,
  reports: ReadonlyMap<string, WhyReport>,
): { containers: Reasons[] } {
  return {
    containers: workload.containers.map((container) => {
      const found = images?.containers.find(({ name }) => name === container.name);
      const causes = causesIn(reports.get(container.name), workload, container);
      return {
        container: container.name,
        verdict: verdictOf(workload, found),
        reasons: [...new Set([...factsOf(workload, container, found), ...causes.map(printCause)])],
      };
    }),
  };
}

function verdictOf(
  { policies, readOnly }: WorkloadStatusReport,
  found: ContainerImagesReport | undefined,
): string {
  if (found === undefined || problemOf(found) !== "") {
    return "Whether there's a newer image isn't known";
  }
  const newest = printImageRef(found.latestFiltered.ref);
  if (found.newFilteredCount === 0) {
    return found.filteredCount === 0
      ? "No image is allowed by the filter"
      : "Runs the newest image that is allowed";
  }
  if (readOnly !== "") {
    return `Stays, although there's ${newest}: it can't be changed through git`;
  }
  if (hasPolicy(policies, "locked")) {
    return `Stays, although there's ${newest}: it's locked`;
  }
  return hasPolicy(policies, "automated") && !hasPolicy(policies, "ignore")
    ? `Is going to be updated to ${newest}`
    : `Stays, although there's ${newest}: it isn't automated`;
}

function factsOf(
  { policies }: WorkloadStatusReport,
  { name }: Container,
  found: ContainerImagesReport | undefined,
): readonly string[] {
  const filter = policies[tagPolicyOf(name)];
  const problem = problemOf(found);
  const reason = policies["locked_msg"] ?? "";
  return [
    hasPolicy(policies, "automated") ? "It's automated." : "It isn't automated.",
    ...(hasPolicy(policies, "locked") ? [reason === "" ? "It's locked." : `It's locked: ${reason}`] : []),
    ...(hasPolicy(policies, "ignore") ? ["Syncs ignore it."] : []),
    problem === "" && found !== undefined
      ? `${filter === undefined ? "Without a tag filter," : `The tag filter ${filter} allows`} ${found.filteredCount} of ${found.availableCount} images${filter === undefined ? " are allowed" : ""}.`
      : problem,
  ];
}

/** What holds this container up, if the daemon says so. */
function causesIn(
  report: WhyReport | undefined,
  { id }: WorkloadStatusReport,
  { name }: Container,
): readonly WhyCause[] {
  const use =
    report?.kind === "image"
      ? report.uses.find(({ workload, container }) => workload === id && container === name)
      : undefined;
  return use?.causes ?? [];
}

function printCause({ message }: WhyCause): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith(".") ? "" : "."}`;
}
