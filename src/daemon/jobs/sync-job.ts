import type { JobResult } from "../../api/types/api-server.ts";
import type { Repo } from "../ports.ts";

/**
 * What `fluxctl sync` asks for: fetches from upstream and tells the head of the branch. The sync itself
 * follows, since the loop sees the new head. As Flux v1.
 */
export async function fetchHead(repo: Repo, signal: AbortSignal): Promise<JobResult> {
  await repo.refresh(signal);
  return { revision: await repo.branchHead(signal) };
}
