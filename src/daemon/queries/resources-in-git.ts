import { toError } from "@weir/base";
import type { ReadOnlyReason } from "../../api/types/api-server.ts";
import { manifestLoadError } from "../errors.ts";
import type { ManifestSource, Repo, ResourceSet } from "../ports.ts";

/** What's needed to read the resources in git. */
export interface GitDependencies {
  readonly repo: Repo;
  readonly manifests: ManifestSource;
}

/** The resources in git, and the reason why a workload that's not among them can't be changed. */
export interface InGit {
  readonly resources: ResourceSet;
  readonly missing: ReadOnlyReason;
}

/**
 * The resources at the head of the branch; none if there's no repository yet. Rejects with a FluxError if the manifests
 * can't be loaded.
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
