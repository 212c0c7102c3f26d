import type { ResourceResult } from "@weir/engine";
import { idOf } from "./object-id.ts";

/** Why an object is left alone, and what a person can do about it. `revision` is the one that's synced. */
export function keptReason(
  { key, guard, reason = "" }: Pick<ResourceResult, "key" | "guard" | "reason">,
  revision: string,
): string {
  switch (guard) {
    case "unconfirmed":
      return `${reason}; to delete it, run \`fluxctl confirm ${idOf(key)}\``;
    case "prune-limit":
      return `${reason}; to delete them, run \`fluxctl confirm --prune ${revision.slice(0, 12)}\``;
    case "foreign":
      return `${reason}, so it isn't applied; remove its manifest from git, or take it over with the annotation weir.dev/sync-options: TakeOver=true in the manifest`;
    default:
      return reason;
  }
}
