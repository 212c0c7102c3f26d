import type { JsonObject } from "@weir/base";
import {
  allWorkloadsSpec,
  encodeReleaseContainersSpec,
  InvalidResourceIdError,
  parseResourceId,
  type ResourceId,
  type UpdateSpec,
} from "@weir/flux";
import type { ListImagesOptions, ListWorkloadsOptions, RequestedWork } from "@weir/flux/api";
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

/** How many workloads of an update the audit log names. */
const mostNamed = 50;

/** What an update is, for the audit log: workloads, images, and policies, but no values or messages of people. */
export function describeUpdate(update: UpdateSpec): JsonObject {
  switch (update.type) {
    case "image": {
      const { workloads, image, kind, force } = update.spec;
      return { update: "release", kind, workloads: (workloads ?? []).slice(0, mostNamed), image, force };
    }
    case "containers": {
      const { kind, force } = update.spec;
      const containers = new Map([...(update.spec.containers ?? [])].slice(0, mostNamed));
      const { ContainerSpecs: images = null } = encodeReleaseContainersSpec({ ...update.spec, containers });
      return { update: "release", kind, images, force };
    }
    case "policy": {
      const changes = [...(update.spec ?? [])].slice(0, mostNamed);
      return {
        update: "policies",
        workloads: changes.map(([id, { add, remove }]) => ({
          ...{ id, add: Object.keys(add ?? {}), remove: Object.keys(remove ?? {}) },
        })),
      };
    }
    case "auto":
    case "sync":
      return { update: update.type };
  }
}

/** How much of what somebody calls a commit the audit log has: more than a hash is long. */
const longestCommit = 100;

/** What a job is that Weir's own routes request, for the audit log, as of an update. */
export function describeWork(work: RequestedWork): JsonObject {
  if (work.kind === "update") {
    return describeUpdate(work.spec);
  }
  const { commit, resource, allowDelete, dryRun } = work.request;
  return { update: "undo", commit: commit.slice(0, longestCommit), resource, allowDelete, dryRun };
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
