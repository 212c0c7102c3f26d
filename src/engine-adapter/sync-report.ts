import type { Logger } from "@weir/base";
import type { ResourceResult, SyncResult } from "@weir/engine";
import type { Resource, ResourceError, ResourceId, SyncedChange } from "@weir/flux";
import { printKey, type ResourceKey } from "@weir/kube";
import { hideInMessage } from "./confidential.ts";
import type { ChangeAuthors } from "./drift-writers.ts";
import { notUpdated } from "./garbage.ts";
import { keptReason } from "./kept-reason.ts";
import { idOf } from "./object-id.ts";

/** The reason for leaving a resource unchanged if its file asks for it. */
export const ignoredInFile = "ignore annotation in file";

/** The errors of a sync, by resource; for resources to delete, the source is "<cluster>", as in Flux v1. */
export function resourceErrors(
  result: SyncResult,
  resourceOf: (key: ResourceKey) => Resource | undefined,
): readonly ResourceError[] {
  return result.resources.flatMap((each) => {
    const { key, guard, error = guard === "foreign" ? keptReason(each, result.revision) : undefined } = each;
    if (error === undefined) {
      return [];
    }
    const resource = resourceOf(key);
    return [
      {
        id: resource?.id ?? idOf(key),
        source: resource?.source ?? "<cluster>",
        error: hideInMessage(error, resource?.confidential),
      },
    ];
  });
}

/** What a sync did to objects, apart from hooks before and after it. */
export function syncedChanges(
  { resources }: SyncResult,
  resourceOf: (key: ResourceKey) => Resource | undefined,
  authors: ChangeAuthors = new Map(),
): readonly SyncedChange[] {
  return resources.flatMap(({ key, phase, change }) => {
    const what = phase === "Sync" ? deedOf(change) : undefined;
    if (what === undefined) {
      return [];
    }
    const putBackFrom = what === "changed" ? authors.get(printKey(key)) : undefined;
    const id = resourceOf(key)?.id ?? idOf(key);
    return [{ id, what, ...(putBackFrom === undefined ? {} : { putBackFrom }) }];
  });
}

function deedOf(change: ResourceResult["change"]): SyncedChange["what"] | undefined {
  switch (change) {
    case "created":
    case "deleted":
      return change;
    case "configured":
      return "changed";
    case "unchanged":
    case "none":
      return undefined;
  }
}

/** Logs what was deleted, or would be. */
export function logPruned(logger: Logger, { resources }: SyncResult): void {
  for (const { key, guard } of resources.filter(isPrune)) {
    logger.log({
      info: "cluster resource not in resources to be synced; deleting",
      "dry-run": guard === "prune-dry-run",
      resource: idOf(key),
    });
  }
}

/** Logs the objects that differ from git but are kept by garbage collection. */
export function logOutdated(logger: Logger, ids: Iterable<ResourceId>, dryRun: boolean): void {
  for (const resource of ids) {
    logger.log({ warning: `${notUpdated}; skipping`, "dry-run": dryRun, resource });
  }
}

/** Logs what was left unchanged, and why; `logOutdated` covers resources in git. */
export function logKept(logger: Logger, { resources }: SyncResult): void {
  for (const { key, code, guard, reason } of resources) {
    if (code === "Skipped" && guard !== "foreign") {
      logger.log({ info: `not applying resource; ${reason ?? ""}`, resource: idOf(key) });
    } else if (
      code === "PruneSkipped" &&
      reason !== notUpdated &&
      (guard === "kept" || guard === "no-targets" || guard === "contains")
    ) {
      logger.log({ info: `skipping GC of cluster resource; ${reason ?? ""}`, resource: idOf(key) });
    }
  }
}

function isPrune({ code, guard }: ResourceResult): boolean {
  return code === "Pruned" || guard === "prune-dry-run";
}
