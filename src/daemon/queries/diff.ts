import type { DiffQuery, DiffReport } from "../../api/types/inspection.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import { findRevision, type InspectionDependencies, syncSetAt } from "./inspected-set.ts";

/** What a sync to a revision would change. Rejects with a FluxError where that cannot be told. */
export async function diff(
  { ref }: DiffQuery,
  deps: InspectionDependencies & { readonly cluster: Cluster },
  signal: AbortSignal,
): Promise<DiffReport> {
  const revision = await findRevision(ref, deps, signal);
  const set = await syncSetAt(revision, deps, signal);
  return { revision, changes: await deps.cluster.preview(set, signal) };
}
