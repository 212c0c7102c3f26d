import type { Cluster } from "@weir/flux";
import type { TreeQuery, TreeReport } from "@weir/flux/api";
import { headToPreview, type InspectionDependencies, syncSetAt } from "./inspected-set.ts";

/** The status of everything in git at the head of the branch. Rejects with a FluxError if it can't be determined. */
export async function tree(
  { namespace }: TreeQuery,
  deps: InspectionDependencies & { readonly cluster: Cluster },
  signal: AbortSignal,
): Promise<TreeReport> {
  const revision = await headToPreview(deps, signal);
  const set = await syncSetAt(revision, deps, signal);
  return { revision, resources: await deps.cluster.tree(set, namespace, signal) };
}
