import { type Logger, messageOf } from "@weir/base";
import {
  allWorkloadsSpec,
  type Cluster,
  distinctRepositories,
  type ImageRegistry,
  type PolicySet,
  tagPatternOf,
  type Workload,
} from "@weir/flux";
import {
  type ContainerField,
  type ListImagesOptions,
  parseContainerFields,
  type WorkloadImagesReport,
} from "@weir/flux/api";
import { fetchImageRepositories } from "../image-repositories.ts";
import { containerImages, SortedImages } from "./container-images.ts";
import { type GitDependencies, resourcesInGit } from "./resources-in-git.ts";

/**
 * The available images for the cluster's workloads, with the tag filters from git. Rejects with UnknownFieldError, or
 * with a FluxError if the manifests can't be loaded.
 */
export async function listImages(
  options: ListImagesOptions,
  deps: ListImagesDependencies,
  signal: AbortSignal,
): Promise<readonly WorkloadImagesReport[]> {
  const fields = parseContainerFields(options.fields);
  const workloads = await liveWorkloads(options, deps.cluster, signal);
  const { resources } = await resourcesInGit(deps, signal);
  const names = distinctRepositories(
    workloads.flatMap(({ containers }) => containers.map(({ image }) => image)),
  );
  const repositories = await fetchImageRepositories(names, deps.images, deps.logger, signal);
  const images = new SortedImages(repositories);
  return workloads.map((workload) =>
    report(workload, resources.get(workload.id)?.policies ?? {}, images, fields),
  );
}

export interface ListImagesDependencies extends GitDependencies {
  readonly cluster: Cluster;
  readonly images: ImageRegistry;
  readonly logger: Logger;
}

function report(
  workload: Workload,
  policies: PolicySet,
  images: SortedImages,
  fields: ReadonlySet<ContainerField>,
): WorkloadImagesReport {
  const containers = workload.containers.map((container) =>
    containerImages(container, images, { pattern: tagPatternOf(policies, container.name), fields }),
  );
  return { id: workload.id, containers };
}

async function liveWorkloads(
  { workload, namespace }: ListImagesOptions,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<readonly Workload[]> {
  if (namespace !== "" && workload !== allWorkloadsSpec) {
    throw new Error("cannot filter by 'namespace' and 'workload' at the same time");
  }
  try {
    return workload === allWorkloadsSpec
      ? await cluster.allWorkloads(namespace, signal)
      : await cluster.someWorkloads([workload], signal);
  } catch (error) {
    const which = workload === allWorkloadsSpec ? "all" : "some";
    throw new Error(`getting ${which} workloads: ${messageOf(error)}`, { cause: error });
  }
}
