import { partsOfResourceId, printImageName, printImageRef, type ResourceId } from "@weir/flux";
import type { WorkloadImagesReport, WorkloadStatusReport } from "@weir/flux/api";
import type { Candidate } from "./candidate.ts";

/** The namespace for names without one. */
export interface HomeNamespace {
  readonly name: string;
  /** True if it was given on the command line. */
  readonly isGiven: boolean;
}

/**
 * Names of workloads for an incomplete value: with their namespaces, and, if a namespace is given or the
 * value can only be a name without one, also those in that namespace without it.
 */
export function workloadNames(
  workloads: readonly WorkloadStatusReport[],
  begun: string,
  home: HomeNamespace,
): readonly string[] {
  const ids = workloads.map(({ id }) => id);
  const whole = ids.filter((id) => id.startsWith(begun));
  const isShort = !begun.includes(":") && (home.isGiven || whole.length === 0);
  return isShort ? ids.flatMap((id) => shortName(id, home.name)) : whole;
}

/** The kind and name of a workload in the namespace. */
function shortName(id: ResourceId, wanted: string): readonly string[] {
  const { namespace, kind, name } = partsOfResourceId(id);
  return wanted === namespace ? [`${kind}/${name}`] : [];
}

/** The repositories of the running images, each once. */
export function imageRepositories(workloads: readonly WorkloadStatusReport[]): readonly string[] {
  const images = workloads.flatMap(({ containers }) => containers.map(({ image }) => image));
  return [...new Set(images.map(printImageName))].filter((name) => name !== "");
}

/** The images of a repository that are available for a workload that runs one of them, with their times. */
export async function tagsOf(
  repository: string,
  workloads: readonly WorkloadStatusReport[],
  imagesFor: (workload: ResourceId) => Promise<readonly WorkloadImagesReport[]>,
): Promise<readonly Candidate[]> {
  const user = workloads.find(({ containers }) =>
    containers.some(({ image }) => printImageName(image) === repository),
  );
  const reports = user === undefined ? [] : await imagesFor(user.id);
  const images = reports.flatMap(({ containers }) => containers.flatMap(({ available }) => available));
  const candidates = images
    .filter(({ ref }) => printImageName(ref) === repository)
    .map(({ ref, createdAt }) => [printImageRef(ref), createdAt ?? ""] as const);
  return [...new Map(candidates)].map(([word, what]) => ({ word, what }));
}
