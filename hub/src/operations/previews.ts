/** What a sync would do to objects, as text. The values of Secrets are hidden by daemons, before they send anything. */
import type { JsonObject } from "@weir/base";
import { type ResourcePreview, toYaml, withoutBookkeeping } from "@weir/flux";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** A unified diff from an object to another one; "" if they're the same. */
export function unifiedDiff(
  name: string,
  before: { readonly label: string; readonly object: JsonObject | null },
  after: { readonly label: string; readonly object: JsonObject | null },
): string {
  const [from, to] = [toYaml(before.object), toYaml(after.object)];
  if (from === to) {
    return "";
  }
  return createTwoFilesPatch(
    before.object === null ? "/dev/null" : `${before.label}/${name}`,
    after.object === null ? "/dev/null" : `${after.label}/${name}`,
    from,
    to,
    "",
    "",
    { headerOptions: FILE_HEADERS_ONLY },
  );
}

/** The changes that matter to people: without what a sync writes only for itself, and without what it leaves alone. */
export function shownChanges(changes: readonly ResourcePreview[]): readonly ResourcePreview[] {
  return withoutBookkeeping(changes.filter(({ action }) => action !== "leave"));
}
