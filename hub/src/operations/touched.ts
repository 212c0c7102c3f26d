import {
  clusterScope,
  InvalidResourceIdError,
  parseResourceId,
  partsOfResourceId,
  type ResourceId,
} from "@weir/flux";
import { Problem } from "../problem/problem.ts";

/**
 * The namespaces of resources, sorted; none, which stands for the whole instance, if one of them is in no namespace, or if
 * there are no resources. So whoever may change all of these may change the resources.
 */
export function namespacesOf(ids: readonly ResourceId[]): readonly string[] {
  const names = new Set(ids.map((id) => partsOfResourceId(id).namespace));
  return names.has(clusterScope) || names.has("") ? [] : [...names].toSorted();
}

/** The workloads that a request names, each once. Throws a Problem for what names no single workload, such as `<all>`. */
export function workloadsNamed(ids: readonly string[]): readonly ResourceId[] {
  return [...new Set(ids.map(workloadNamed))];
}

/** Throws a Problem for what names no single workload. */
export function workloadNamed(id: string): ResourceId {
  try {
    return parseResourceId(id);
  } catch (error) {
    if (error instanceof InvalidResourceIdError) {
      throw new Problem("invalid", `${JSON.stringify(id.slice(0, 100))} isn't the ID of a workload.`, {
        advice: "Name each workload, such as default:deployment/helloworld.",
        cause: error,
      });
    }
    throw error;
  }
}
