import type { ResourcePreview } from "../../cluster/preview.ts";
import { withoutBookkeeping } from "../../comparison/bookkeeping.ts";

/** The changes that matter to people: without what a sync writes only for itself, and without what it leaves alone. */
export function shownChanges(changes: readonly ResourcePreview[]): readonly ResourcePreview[] {
  return withoutBookkeeping(changes.filter(({ action }) => action !== "leave"));
}
