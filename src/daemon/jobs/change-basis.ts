import {
  affectedWorkloads,
  printImageRef,
  type Resource,
  type ResourceId,
  type UpdateResult,
} from "@weir/flux";
import type { ResourceSet } from "../ports.ts";
import type { ChangeBasis } from "./push-retries.ts";

/** What a release is based on: policies and images of the workloads that it changes, and their new images. */
export function basisOfRelease(before: ResourceSet, result: UpdateResult): ChangeBasis {
  return basisOf(affectedWorkloads(result), (id) => {
    const resource = before.get(id);
    const images = resource?.containers?.map(({ name, image }) => [name, printImageRef(image)]);
    const updates = result
      .get(id)
      ?.containers?.map(({ container, target }) => [container, printImageRef(target)]);
    return [policiesOf(resource), images, updates];
  });
}

/** What a change of policies is based on: the policies that the changed workloads had. */
export function basisOfPolicies(before: ResourceSet, result: UpdateResult): ChangeBasis {
  return basisOf(affectedWorkloads(result), (id) => policiesOf(before.get(id)));
}

function basisOf(ids: readonly ResourceId[], describe: (id: ResourceId) => unknown): ChangeBasis {
  return new Map(ids.map((id) => [id, JSON.stringify(describe(id))]));
}

function policiesOf(resource: Resource | undefined): readonly (readonly [string, string])[] {
  return Object.entries(resource?.policies ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
