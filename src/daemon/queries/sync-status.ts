import type { DaemonSettings, Repo } from "../ports.ts";
import type { SyncState } from "../sync/state.ts";

/** The commits up to a ref that aren't synced yet, newest first. */
export async function syncStatus(
  ref: string,
  { repo, settings, syncState }: SyncStatusDependencies,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const synced = await syncState.revision(signal);
  const commits = await repo.commitsBetween(synced, ref, settings.paths, signal);
  return commits.map(({ revision }) => revision);
}

export interface SyncStatusDependencies {
  readonly repo: Pick<Repo, "commitsBetween">;
  readonly settings: Pick<DaemonSettings, "paths">;
  readonly syncState: Pick<SyncState, "revision">;
}
