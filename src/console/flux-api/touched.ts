import type { ListImagesOptions, ListWorkloadsOptions } from "../../api/types/api-server.ts";
import { InvalidResourceIdError, parseResourceId, type ResourceId } from "../../resource/id.ts";
import { allWorkloadsSpec, type UpdateSpec } from "../../update/spec.ts";
import { namespacesOf } from "../operations/touched.ts";

/** The namespaces that a list of workloads is of; none stands for the whole instance. */
export function namespacesListed({ namespace, workloads }: ListWorkloadsOptions): readonly string[] {
  return workloads.length > 0 ? namespacesOf(workloads) : wholeOr(namespace);
}

/** The namespaces that a list of images is of; none stands for the whole instance. */
export function namespacesOfImages({ namespace, workload }: ListImagesOptions): readonly string[] {
  return workload === allWorkloadsSpec ? wholeOr(namespace) : namespacesOf([workload]);
}

/** The namespaces that an update changes; none stands for the whole instance. */
export function namespacesUpdated(update: UpdateSpec): readonly string[] {
  switch (update.type) {
    case "image":
      return namespacesNamed(update.spec.workloads ?? []);
    case "containers":
      return namespacesOf([...(update.spec.containers?.keys() ?? [])]);
    case "policy":
      return namespacesOf([...(update.spec?.keys() ?? [])]);
    case "auto":
      return namespacesOf(update.spec.map(({ workload }) => workload));
    case "sync":
      return [];
  }
}

/** What names no single workload, such as `<all>`, stands for the whole instance. */
function namespacesNamed(names: readonly string[]): readonly string[] {
  const ids: ResourceId[] = [];
  for (const name of names) {
    try {
      ids.push(parseResourceId(name));
    } catch (error) {
      if (error instanceof InvalidResourceIdError) {
        return [];
      }
      throw error;
    }
  }
  return namespacesOf(ids);
}

function wholeOr(namespace: string): readonly string[] {
  return namespace === "" ? [] : [namespace];
}
