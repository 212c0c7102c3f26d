import { partsOfResourceId, readResourceId } from "@weir/flux";
import type { JobSpec } from "../contract/jobs.ts";

/** What a job does, in a line. */
export function summaryOf(spec: JobSpec): string {
  switch (spec.kind) {
    case "release":
      return `Release ${named(spec.workloads)}`;
    case "policy":
      return `${policyVerbs(spec).join(", ")} ${named(spec.workloads)}`;
    case "sync":
      return "Sync";
    case "undo":
      return `Undo ${spec.revision.slice(0, 7)}`;
    case "take-over":
      return `Take over ${named(spec.ids)} into git`;
  }
}

function policyVerbs({
  automated,
  locked,
  ignored,
  tags = {},
}: Extract<JobSpec, { kind: "policy" }>): string[] {
  const verb = (value: boolean | undefined, on: string, off: string): string[] =>
    value === undefined ? [] : [value ? on : off];
  const verbs = [
    ...verb(automated, "automate", "stop automating"),
    ...verb(locked, "lock", "unlock"),
    ...verb(ignored, "ignore", "stop ignoring"),
    ...(Object.keys(tags).length === 0 ? [] : ["change the tag filters of"]),
  ];
  return verbs.map((each, index) => (index === 0 ? each.charAt(0).toUpperCase() + each.slice(1) : each));
}

/** One workload by its name, or how many there are. */
function named(ids: readonly string[]): string {
  const [first] = ids;
  const id = first === undefined ? undefined : readResourceId(first);
  return ids.length === 1 && id !== undefined ? partsOfResourceId(id).name : `${ids.length} workloads`;
}
