import type { Job } from "../../src/contract/jobs.ts";

/** The IDs of the resources that a job concerns; none for the whole instance. */
export function jobResources({ spec, plan }: Pick<Job, "spec" | "plan">): readonly string[] {
  switch (spec.kind) {
    case "release":
    case "policy":
      return spec.workloads;
    case "take-over":
      return spec.ids;
    case "undo":
      return plan?.changes.map(({ workload }) => workload) ?? [];
    case "sync":
      return [];
  }
}
