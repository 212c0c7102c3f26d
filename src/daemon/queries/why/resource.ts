import type { Clock } from "@weir/base";
import {
  type Cluster,
  type ImageRegistry,
  type ObjectReport,
  printImageRef,
  type Resource,
  type ResourceId,
  type Workload,
} from "@weir/flux";
import {
  describeSuspensions,
  type ResourceAnswer,
  suspensionOf,
  type WhyCause,
  type WhyLive,
} from "@weir/flux/api";
import type { DaemonSettings } from "../../ports.ts";
import { short } from "./cause.ts";
import { type ImageState, imageState, scanKey, scansOf } from "./image-states.ts";
import { describeManifest, type ManifestDependencies } from "./manifest.ts";
import { type ResourceFacts, resourceCauses } from "./resource-causes.ts";
import type { World } from "./world.ts";

/** Why a resource is as it is; undefined if there's no such resource, neither in git nor in the cluster. */
export async function whyResource(
  id: ResourceId,
  world: World,
  deps: ResourceDependencies,
  signal: AbortSignal,
): Promise<ResourceAnswer | undefined> {
  const { set, sync, problems, isKnown } = world;
  const resource = set.resources.get(id);
  const object = await deps.cluster.report(set, id, signal);
  const isHeldBack = set.heldBack.includes(id);
  if (resource === undefined && !isHeldBack && !object.exists && object.left?.guard !== "excluded") {
    return undefined;
  }
  const workload = world.workloads.find((each) => each.id === id);
  const [git, images] = await Promise.all([
    resource && describeManifest(resource, set.revision, deps, signal),
    imageStates(resource, workload, deps, signal),
  ]);
  const facts: ResourceFacts = {
    id,
    problems,
    isKnown,
    source: resource?.source,
    isHeldBack,
    isComplete: set.complete,
    object,
    sync,
    suspensions: world.suspensions,
    images,
    automation: automationOf(id, world, deps),
  };
  const causes = resourceCauses(facts);
  return {
    kind: "resource",
    subject: id,
    verdict: verdictOf(facts, causes),
    causes,
    sync,
    status: isKnown ? object.sync : "",
    ...(git === undefined ? {} : { git }),
    ...(object.exists ? { live: liveOf(object, workload) } : {}),
    differences: object.differences,
  };
}

export interface ResourceDependencies extends ManifestDependencies {
  readonly repo: ManifestDependencies["repo"] & { readonly readonly: boolean };
  readonly settings: Pick<DaemonSettings, "gitTimeout" | "automationInterval">;
  readonly cluster: Pick<Cluster, "report">;
  readonly images: ImageRegistry;
  readonly clock: Clock;
}

/** Whether automation can release to a workload. */
export function automationOf(
  workload: ResourceId,
  { suspensions }: Pick<World, "suspensions">,
  { repo, settings }: Pick<ResourceDependencies, "repo" | "settings">,
): ResourceFacts["automation"] {
  const suspension = suspensionOf("automation", suspensions);
  return {
    workload,
    isOn: settings.automationInterval !== undefined,
    isReadonly: repo.readonly,
    suspended: suspension === undefined ? "" : describeSuspensions([suspension]).join(),
  };
}

/** Automation compares what runs, but decides with the policies in git. */
async function imageStates(
  resource: Resource | undefined,
  workload: Workload | undefined,
  { images }: ResourceDependencies,
  signal: AbortSignal,
): Promise<readonly ImageState[]> {
  if (resource === undefined || workload === undefined) {
    return [];
  }
  const { containers } = workload;
  const scans = await scansOf(
    containers.map(({ image }) => image),
    images,
    signal,
  );
  return containers.flatMap((container) => {
    const scan = scans.get(scanKey(container.image));
    return scan === undefined ? [] : [imageState(container, resource.policies, scan)];
  });
}

function liveOf(object: ObjectReport, workload: Workload | undefined): WhyLive {
  const { apiVersion, health, healthMessage, owner, writers, live } = object;
  const { desired, updated, ready } = workload?.rollout ?? {};
  return {
    apiVersion,
    health,
    healthMessage,
    owner,
    containers: (workload?.containers ?? []).map(({ name, image }) => ({
      name,
      image: printImageRef(image),
    })),
    ...(desired === undefined || updated === undefined || ready === undefined
      ? {}
      : { replicas: { desired, updated, ready } }),
    writers,
    ...(live === undefined ? {} : { object: live }),
  };
}

/** The answer in one sentence: how it is, and the first reason for that. */
export function verdictOf(facts: ResourceFacts, causes: readonly WhyCause[]): string {
  const state = stateOf(facts);
  const [first] = causes;
  return first === undefined ? `${state}.` : `${state}: ${first.message}.`.replace(/\.\.$/, ".");
}

function stateOf({ id, object, isKnown, source, isHeldBack, sync }: ResourceFacts): string {
  const { health } = object;
  const how = health === "" ? "" : ` and ${health}`;
  if (!isKnown) {
    return `${id} cannot be compared with git`;
  }
  if (isHeldBack) {
    return `${id} is in git, but cannot be loaded`;
  }
  if (source === undefined) {
    return `${id} is not in git`;
  }
  if (!object.exists) {
    return `${id} is in git, but not in the cluster`;
  }
  switch (object.sync) {
    case "Ignored":
      return `${id} is left as it is`;
    case "OutOfSync":
      return object.action === "none" && object.refusal === ""
        ? `${id} is as in git (${short(sync.head)})${how}`
        : `${id} is not as in git`;
    default:
      return `${id} is as in git (${short(sync.head)})${how}`;
  }
}
