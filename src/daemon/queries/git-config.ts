import type { Cluster } from "@weir/flux";
import type { GitConfigReport } from "@weir/flux/api";
import type { DaemonSettings, Repo } from "../ports.ts";

/** Where git is, its state, and fluxd's public key, which is replaced first if `regenerate` is set. */
export async function gitRepoConfig(
  regenerate: boolean,
  { repo, settings, cluster }: GitConfigDependencies,
  signal: AbortSignal,
): Promise<GitConfigReport> {
  const publicSshKey = await cluster.publicSshKey(regenerate, signal);
  const { status, error } = repo.status();
  return {
    url: repo.safeUrl,
    branch: settings.branch,
    path: settings.paths.join(","),
    publicSshKey,
    status,
    errors: error,
  };
}

export interface GitConfigDependencies {
  readonly repo: Pick<Repo, "safeUrl" | "status">;
  readonly settings: Pick<DaemonSettings, "branch" | "paths">;
  readonly cluster: Pick<Cluster, "publicSshKey">;
}
