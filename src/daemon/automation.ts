/**
 * Image automation: looks for newer images for automated workloads. Takes the manifests in git, the running workloads,
 * and the known images, and returns the changes to release. Like Flux v1's pkg/daemon/images.go.
 */
import { type Logger, messageOf } from "@weir/base";
import {
  type AutomatedChange,
  automatedWorkloads,
  type Cluster,
  confirmFindings,
  distinctRepositories,
  type Finding,
  findUpdates,
  type ImageRegistry,
  type ImageRepositories,
  printImageName,
  printImageRef,
  replacementsOfFindings,
} from "@weir/flux";
import { askRegistries } from "./confirm-images.ts";
import { fetchImageRepositories } from "./image-repositories.ts";
import { type GitDependencies, resourcesInGit } from "./queries/resources-in-git.ts";

/** The changes to release, each one logged with its reason; none if something can't be read. */
export async function pollImages(
  deps: AutomationDependencies,
  signal: AbortSignal,
): Promise<readonly AutomatedChange[]> {
  const { logger } = deps;
  logger.log({ msg: "polling for new images for automated workloads" });
  try {
    return await newerImages(deps, signal);
  } catch (error) {
    signal.throwIfAborted();
    logger.log({ error: messageOf(error) });
    return [];
  }
}

export interface AutomationDependencies extends GitDependencies {
  readonly cluster: Cluster;
  readonly images: ImageRegistry;
  readonly logger: Logger;
}

async function newerImages(
  deps: AutomationDependencies,
  signal: AbortSignal,
): Promise<readonly AutomatedChange[]> {
  const { cluster, images, logger } = deps;
  const { resources } = await doing("getting unlocked automated resources", resourcesInGit(deps, signal));
  const automated = new Map(automatedWorkloads(resources).map((resource) => [resource.id, resource]));
  if (automated.size === 0) {
    logger.log({ msg: "no automated workloads" });
    return [];
  }
  const running = cluster.someWorkloads([...automated.keys()], signal);
  const workloads = await doing("checking workloads for new images", running);
  const names = distinctRepositories(
    workloads.flatMap(({ containers }) => containers.map(({ image }) => image)),
  );
  const repositories = await fetchImageRepositories(names, images, logger, signal);
  const find = (known: ImageRepositories): readonly Finding[] =>
    findUpdates(workloads, (id) => automated.get(id)?.policies ?? {}, known);
  const findings = await confirmed(find(repositories), find, repositories, images, signal);
  findings.forEach((finding) => tell(finding, logger));
  return findings.flatMap(({ outcome }) => (outcome.kind === "update" ? [outcome.change] : []));
}

/** Queries registries only if there's something to release. */
async function confirmed(
  findings: readonly Finding[],
  find: (known: ImageRepositories) => readonly Finding[],
  repositories: ImageRepositories,
  images: ImageRegistry,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const answers = await askRegistries(replacementsOfFindings(findings), images, signal);
  return confirmFindings(findings, find(repositories.correctedBy(answers)), answers);
}

async function doing<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error });
  }
}

function tell({ workload, container, pattern, outcome }: Finding, logger: Logger): void {
  const about = {
    workload,
    container: container.name,
    repo: printImageName(container.image),
    pattern: pattern.text,
    current: printImageRef(container.image),
  };
  if (outcome.kind === "update") {
    const { change, reason } = outcome;
    logger.log({
      ...about,
      info: "added update to automation run",
      new: printImageRef(change.image),
      reason,
    });
  } else {
    logger.log({ ...about, warning: outcome.warning, ...outcome.details, action: "skip container" });
  }
}
