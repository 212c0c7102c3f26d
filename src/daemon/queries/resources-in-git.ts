import { toError } from "@weir/base";
import type { ReadOnlyReason } from "../../api/types/api-server.ts";
import { manifestLoadError } from "../errors.ts";
import type { ManifestSource, Repo, ResourceSet } from "../ports.ts";

/** What it takes to see what git holds. */
export interface GitDependencies {
  readonly repo: Repo;
  readonly manifests: ManifestSource;
}

/** What git holds, and why a workload it does not hold cannot be changed. */
export interface InGit {
  readonly resources: ResourceSet;
  readonly missing: ReadOnlyReason;
}

/**
 * The resources at the head of the branch; none where there is no repository yet. Rejects with a FluxError where the
 * manifests do not load.
 */
export async function resourcesInGit(
  { repo, manifests }: GitDependencies,
  signal: AbortSignal,
): Promise<InGit> {
  const { status } = repo.status();
  if (status !== "ready") {
    return { resources: new Map(), missing: status === "unconfigured" ? "NoRepo" : "NotReady" };
  }
  const head = await repo.branchHead(signal);
  try {
    const { resources } = await manifests.at(head, signal);
    return { resources, missing: "NotInRepo" };
  } catch (error) {
    throw manifestLoadError(toError(error));
  }
}
