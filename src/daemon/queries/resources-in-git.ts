import { toError } from "@weir/base";
import type { ReadOnlyReason } from "@weir/flux/api";
import { manifestLoadError } from "../errors.ts";
import type { ManifestSource, Repo, ResourceSet } from "../ports.ts";
import { type HeadDependencies, headToRead } from "./head-to-read.ts";

/** The resources in git, and the reason why a workload that's not among them can't be changed. */
export interface InGit {
  readonly resources: ResourceSet;
  readonly missing: ReadOnlyReason;
}

/**
 * The resources at the head of the branch; none if there's no repository yet, or no verified commit. Rejects with a FluxError if the manifests
 * can't be loaded.
 */
export async function resourcesInGit(
  { repo, manifests, heads }: GitDependencies,
  signal: AbortSignal,
): Promise<InGit> {
  const { status } = repo.status();
  if (status !== "ready") {
    return { resources: new Map(), missing: status === "unconfigured" ? "NoRepo" : "NotReady" };
  }
  const head = await headToRead({ repo, heads }, signal);
  if (head === "") {
    return { resources: new Map(), missing: "NotReady" };
  }
  try {
    const { resources } = await manifests.at(head, signal);
    return { resources, missing: "NotInRepo" };
  } catch (error) {
    throw manifestLoadError(toError(error));
  }
}

export interface GitDependencies {
  readonly repo: Repo;
  readonly manifests: ManifestSource;
  /** Undefined if the head is read whether or not it's signed. */
  readonly heads?: HeadDependencies["heads"];
}
