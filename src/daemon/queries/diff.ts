import type { Cluster } from "@weir/flux";
import type { DiffQuery, DiffReport } from "@weir/flux/api";
import { findRevision, type InspectionDependencies, syncSetAt } from "./inspected-set.ts";

/** The changes that a sync to a revision would make. Rejects with a FluxError if they can't be determined. */
export async function diff(
  { ref }: DiffQuery,
  deps: InspectionDependencies & { readonly cluster: Cluster },
  signal: AbortSignal,
): Promise<DiffReport> {
  const revision = await findRevision(ref, deps, signal);
  const set = await syncSetAt(revision, deps, signal);
  return { revision, changes: await deps.cluster.preview(set, signal) };
}
