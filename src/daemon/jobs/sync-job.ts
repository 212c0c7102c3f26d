import type { JobResult } from "../../api/types/api-server.ts";
import type { Repo } from "../ports.ts";

/**
 * The work of `fluxctl sync`: fetches from upstream and returns the head of the branch. The sync itself follows when
 * the loop sees the new head. Same as in Flux v1.
 */
export async function fetchHead(repo: Repo, signal: AbortSignal): Promise<JobResult> {
  await repo.refresh(signal);
  return { revision: await repo.branchHead(signal) };
}
