import type { SentQuery } from "../../../src/contract/schemas.ts";
import { type FilterValues, writeFilters } from "../../state/filters.ts";

/** The filters of the list of workloads, as they're in the address. */
export const workloadFilters = {
  q: { kind: "text" },
  instance: { kind: "several" },
  namespace: { kind: "several" },
  kind: { kind: "several" },
  health: { kind: "several", values: ["healthy", "progressing", "degraded", "unknown"] },
  policy: { kind: "several", values: ["automated", "locked", "ignored"] },
  newImages: { kind: "flag" },
  problems: { kind: "flag" },
  sort: {
    kind: "choice",
    values: ["id", "-id", "health", "changedAt", "-changedAt", "newImages"],
    otherwise: "id",
  },
  cursor: { kind: "text" },
} as const;

export type WorkloadFilterValues = FilterValues<typeof workloadFilters>;

/** How many workloads a page has. */
const pageSize = 50;

/** What is asked of the console for filters: a page of the list, and what all of it can be narrowed down to. */
export function workloadRequestsOf(values: WorkloadFilterValues) {
  return {
    list: { query: { ...workloadQueryOf(values), limit: pageSize } },
    facets: { query: workloadQueryOf({ ...values, cursor: "" }) },
  };
}

function workloadQueryOf(values: WorkloadFilterValues): NonNullable<SentQuery<"workloads">> {
  const { q, instance, namespace, kind, health, policy, newImages, problems, sort, cursor } = values;
  return {
    sort,
    ...(q === "" ? {} : { q }),
    ...(instance.length === 0 ? {} : { instance: [...instance] }),
    ...(namespace.length === 0 ? {} : { namespace: [...namespace] }),
    ...(kind.length === 0 ? {} : { kind: [...kind] }),
    ...(health.length === 0 ? {} : { health: [...health] }),
    ...(policy.length === 0 ? {} : { policy: [...policy] }),
    ...(newImages ? { newImages: "true" as const } : {}),
    ...(problems ? { problems: "true" as const } : {}),
    ...(cursor === "" ? {} : { cursor }),
  };
}

/** True if filters leave workloads out. */
export function isNarrowed(values: WorkloadFilterValues): boolean {
  return writeFilters({ ...values, sort: "id", cursor: "" }, workloadFilters) !== "";
}
