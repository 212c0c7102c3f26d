import { quoteGo } from "@weir/base";
import { printImageRef } from "../image/ref.ts";
import type { ResourceId } from "../resource/id.ts";
import type { Container, Resource } from "../resource/resource.ts";
import type { UpdateResult } from "./result.ts";
import type { ContainerUpdate } from "./spec.ts";

type Resources = ReadonlyMap<ResourceId, Resource>;

/**
 * The first unexpected difference between manifests before and after an update, other than the planned images;
 * undefined if there's none. Like Flux v1's VerifyChanges.
 */
export function findUnplannedChange(
  before: Resources,
  result: UpdateResult,
  after: Resources,
): string | undefined {
  for (const [id, resource] of after) {
    const problem = problemWith(id, before.get(id), result.get(id)?.containers ?? [], resource);
    if (problem !== undefined) {
      return problem;
    }
  }
  const gone = [...before.keys()].filter((id) => !after.has(id));
  return gone.length === 0
    ? undefined
    : `resources {${gone.map(quoteGo).join(", ")}} present before update but not after`;
}

function problemWith(
  id: ResourceId,
  before: Resource | undefined,
  updates: readonly ContainerUpdate[],
  after: Resource,
): string | undefined {
  if (before === undefined) {
    return `resource ${quoteGo(id)} is new after update`;
  }
  if (before.containers === undefined) {
    return undefined;
  }
  if (after.containers === undefined) {
    return `resource ${quoteGo(id)} is no longer a workload (Deployment or DaemonSet, or similar) after update`;
  }
  const missing = updates.find(({ container }) => !before.containers?.some(({ name }) => name === container));
  if (missing !== undefined) {
    return `updating container ${quoteGo(missing.container)} in resource ${quoteGo(id)} failed: container ${quoteGo(missing.container)} not found in workload`;
  }
  return containersProblem(id, withUpdates(before.containers, updates), after.containers);
}

function withUpdates(
  containers: readonly Container[],
  updates: readonly ContainerUpdate[],
): readonly Container[] {
  const targets = new Map(updates.map(({ container, target }) => [container, target]));
  return containers.map(({ name, image }) => ({ name, image: targets.get(name) ?? image }));
}

function containersProblem(
  id: ResourceId,
  planned: readonly Container[],
  actual: readonly Container[],
): string | undefined {
  if (planned.length !== actual.length) {
    return `resource ${quoteGo(id)} has different set of containers after update`;
  }
  for (const [index, { name, image }] of planned.entries()) {
    const found = actual[index];
    if (found === undefined || found.name !== name) {
      return `container in position ${index} of resource ${quoteGo(id)} has a different name after update: was ${quoteGo(name)}, now ${quoteGo(found?.name ?? "")}`;
    }
    const [wanted, is] = [printImageRef(image), printImageRef(found.image)];
    if (wanted !== is) {
      return `the image for container ${quoteGo(name)} in resource ${quoteGo(id)} should be ${quoteGo(wanted)}, but is ${quoteGo(is)}`;
    }
  }
  return undefined;
}
