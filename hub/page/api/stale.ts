import type { Change } from "../../src/contract/events.ts";
import type { JobState } from "../../src/contract/jobs.ts";
import type { OperationName } from "../../src/contract/routes.ts";

/** Which answers a change makes stale: those of the operations, about this instance if one is named. */
export interface Stale {
  readonly names: readonly OperationName[];
  /** Undefined: about any instance. */
  readonly instanceId?: string;
}

/** What daemons are asked about workloads each time: no change of the console's own data says all that they would say now. */
const asked = ["workloadImages", "why", "tree", "comparison"] as const;

/** The states in which a job has changed what it will ever change. */
const ended: ReadonlySet<string> = new Set<JobState>(["succeeded", "failed"]);

/** What a change makes stale; undefined if everything. */
export function staleAfter(change: Change): Stale | undefined {
  switch (change.type) {
    case "event":
      return { names: ["events"] };
    case "instance":
      return {
        names: ["instances", "instance", "blockers", "drift", "workloadHistory"],
        instanceId: change.instanceId,
      };
    case "workloads":
      return {
        names: ["workloads", "workloadFacets", "workload", ...asked],
        instanceId: change.instanceId,
      };
    case "job":
      return {
        names: ["jobs", "job", ...(ended.has(change.state) ? asked : [])],
        instanceId: change.instanceId,
      };
    case "reload":
      return undefined;
  }
}

/** True if an answer, by the key under which it's kept, is stale. Lists can be about every instance. */
export function isStale(key: readonly unknown[], stale: readonly Stale[]): boolean {
  const [name, request] = key;
  return stale.some(({ names, instanceId }) => {
    const about = instanceOf(request);
    return (
      names.some((each) => each === name) &&
      (instanceId === undefined || about === undefined || about === instanceId)
    );
  });
}

function instanceOf(request: unknown): string | undefined {
  const { params } = (request ?? {}) as { readonly params?: { readonly instance?: string } };
  return params?.instance;
}
