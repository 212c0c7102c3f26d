import { compareGoStrings } from "@weir/base";
import {
  type Container,
  everyTag,
  hasPolicy,
  partsOfResourceId,
  printImageName,
  type ResourceId,
  tagPolicyOf,
} from "@weir/flux";
import { type ChosenTagPolicy, chooseTagPolicy } from "./choose-tag-policy.ts";
import type { ExportedWorkload } from "./install.ts";
import { toNamePart, uniqueNames } from "./object-names.ts";

/** An image of a container that fluxd keeps up to date. */
export interface AutomatedImage {
  /** The name of its ImagePolicy. */
  readonly policyName: string;
  readonly workload: ExportedWorkload;
  readonly container: Container;
  /** The image name as in its manifest, without the tag. */
  readonly repository: string;
  /** The tag pattern of Flux v1. */
  readonly pattern: string;
  readonly chosen: ChosenTagPolicy;
}

/** Kinds of the Helm operator. */
const chartKinds: readonly string[] = ["helmrelease", "fluxhelmrelease"];

/** True for the objects of the Helm operator, which Flux v2 doesn't run. */
export function isHelmRelease(id: ResourceId): boolean {
  return chartKinds.includes(partsOfResourceId(id).kind);
}

/** True if fluxd updates the images of a workload: it's automated, and neither locked nor ignored. */
export function isAutomated({ id, policies }: ExportedWorkload): boolean {
  return (
    hasPolicy(policies, "automated") &&
    !hasPolicy(policies, "locked") &&
    !hasPolicy(policies, "ignore") &&
    !isHelmRelease(id)
  );
}

/** True for an image with a digest, which a marker of Flux v2 would remove. */
export function isPinned({ image }: Container): boolean {
  return image.sha !== "";
}

/** The images of automated workloads, sorted by workload, without pinned images and those with an invalid pattern. */
export function automatedImages(workloads: readonly ExportedWorkload[]): readonly AutomatedImage[] {
  const pairs = workloads
    .filter(isAutomated)
    .toSorted((a, b) => compareGoStrings(a.id, b.id))
    .flatMap((workload) =>
      workload.containers.filter((each) => !isPinned(each)).map((container) => ({ workload, container })),
    );
  const names = uniqueNames(
    pairs.map(({ workload, container }) => {
      const { namespace, name } = partsOfResourceId(workload.id);
      return [keyOf(workload, container), toNamePart(`${namespace}-${name}-${container.name}`)] as const;
    }),
  );
  return pairs.flatMap(({ workload, container }) => {
    const pattern = patternOf(workload, container);
    const chosen = chooseTagPolicy(pattern, workload.images.get(container.name) ?? []);
    const policyName = names.get(keyOf(workload, container)) ?? "";
    const repository = printImageName(container.image);
    return chosen === undefined ? [] : [{ policyName, workload, container, repository, pattern, chosen }];
  });
}

/** The tag pattern of a container; all tags if it has no pattern. */
export function patternOf({ policies }: ExportedWorkload, { name }: Container): string {
  return policies[tagPolicyOf(name)] ?? everyTag.text;
}

function keyOf({ id }: ExportedWorkload, { name }: Container): string {
  return `${id} ${name}`;
}
