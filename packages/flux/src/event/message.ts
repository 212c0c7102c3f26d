import { quoteGo } from "@weir/base";
import { changedImages, type UpdateResult } from "../update/result.ts";
import { allWorkloadsSpec, type UpdateSpec } from "../update/spec.ts";
import type { EventCommit, FluxEvent } from "./event.ts";

/** An event on one line, as Flux v1 logs it. */
export function printEvent({ detail, workloads }: FluxEvent): string {
  const ids = workloads.toSorted();
  switch (detail.type) {
    case "commit":
      return `Commit: ${shorten(detail.revision)}, ${list(ids, "<no changes>")}`;
    case "sync":
      return `Sync: ${printRange(detail.commits)}, ${list(ids, "no workloads changed")}`;
    case "release":
      return printRelease(detail.spec, detail.result, ids);
    case "autorelease":
      return `Automated release of ${printChangedImages(detail.result)}`;
  }
}

function printRelease(
  { type, spec, cause }: Extract<UpdateSpec, { type: "image" | "containers" }>,
  result: UpdateResult,
  ids: readonly string[],
): string {
  const toAll = type === "image" && spec.workloads?.includes(allWorkloadsSpec);
  const user = cause.user === "" ? "" : `, by ${cause.user}`;
  const message = cause.message === "" ? "" : `, with message ${quoteGo(cause.message)}`;
  const to = toAll ? "all workloads" : list(ids, "no workloads");
  return `Released: ${printChangedImages(result)} to ${to}${user}${message}`;
}

/** As in Flux v1, which shows only the newer one of exactly two commits. */
function printRange(newestFirst: readonly EventCommit[]): string {
  const newest = newestFirst[0];
  const oldest = newestFirst.at(-1);
  if (!newest || !oldest) {
    return "<no revision>";
  }
  const short = shorten(newest.revision);
  return newestFirst.length > 2 ? `${shorten(oldest.revision)}..${short}` : short;
}

function printChangedImages(result: UpdateResult): string {
  return list(changedImages(result), "no image changes");
}

function list(texts: readonly string[], none: string): string {
  return texts.length === 0 ? none : texts.join(", ");
}

function shorten(revision: string): string {
  return revision.slice(0, 7);
}
