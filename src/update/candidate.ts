import { messageOf } from "../base/errors.ts";
import type { Workload } from "../cluster/workload.ts";
import { parseImageRef, printImageRef } from "../image/ref.ts";
import type { ResourceId } from "../resource/id.ts";
import type { Container, Resource } from "../resource/resource.ts";

/** A workload that is both in git and in the cluster, and so may be updated. */
export interface Candidate {
  /** As its manifest has it. */
  readonly resource: Resource;
  /** As it lives in the cluster. */
  readonly workload: Workload;
}

/** The workloads among resources, in git's order. */
export function definedWorkloads(resources: ReadonlyMap<ResourceId, Resource>): readonly Resource[] {
  return [...resources.values()].filter(({ containers }) => containers !== undefined);
}

/** The containers that run of a workload, or why they cannot be told. */
export type RunningContainers =
  | { readonly kind: "known"; readonly containers: readonly Container[] }
  | { readonly kind: "unreadable"; readonly problem: string };

/** As Flux v1: one image that cannot be read makes all containers of the workload unknown. */
export function runningContainers({ containers }: Workload): RunningContainers {
  try {
    containers.forEach(({ image }) => parseImageRef(printImageRef(image)));
    return { kind: "known", containers };
  } catch (error) {
    return { kind: "unreadable", problem: messageOf(error) };
  }
}

/** The containers that run, as far as they can be told. */
export function knownContainers(workload: Workload): readonly Container[] {
  const running = runningContainers(workload);
  return running.kind === "known" ? running.containers : [];
}
