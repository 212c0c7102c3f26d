import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Plan } from "../../../src/contract/jobs.ts";
import { useApi } from "../../api/context.ts";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PlanTable } from "./plan-table.tsx";
import { plannedSpec, type SentSpec } from "./planned-spec.ts";

/** What a job would do, asked for again whenever it's described differently. */
export function usePlan(
  instance: string,
  spec: SentSpec,
  { enabled = true }: { readonly enabled?: boolean } = {},
): UseQueryResult<Plan> {
  const api = useApi();
  const body = plannedSpec(spec);
  return useQuery({
    queryKey: ["plan", instance, body],
    queryFn: ({ signal }) => api.call("plan", { params: { instance }, body }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    enabled,
  });
}

/** What a job would do, before it's requested. */
export function PlanPreview({ from }: { readonly from: UseQueryResult<Plan> }): ReactNode {
  return (
    <section
      className={from.isPlaceholderData ? "plan waiting" : "plan"}
      aria-label="Plan"
      aria-busy={from.isFetching}
    >
      <Loaded from={from} lines={3}>
        {(plan) => (
          <>
            <PlanTable plan={plan} />
            {plan.needsApproval && (
              <p className="note-line">
                <Icon name="user" />
                Somebody else has to approve exactly this plan.
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
