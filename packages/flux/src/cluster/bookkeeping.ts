/** What a sync writes only for itself isn't worth showing to somebody who compares manifests. */
import { compareGoStrings, equalJson, isJsonObject, type JsonObject } from "@weir/base";
import { checksumAnnotation, markLabel } from "./marks.ts";
import type { ResourcePreview } from "./preview.ts";

/** The changes without marks and checksums, and without objects of which nothing else changes, in the given order. */
export function withoutBookkeeping(changes: readonly ResourcePreview[]): readonly ResourcePreview[] {
  return changes
    .map((change) => ({ ...change, before: plain(change.before), after: plain(change.after) }))
    .filter(({ action, error, before, after }) => {
      const isSame = before !== null && after !== null && equalJson(before, after);
      return !(action === "change" && error === "" && isSame);
    });
}

/** Sorted by ID. */
export function sortedChanges(changes: readonly ResourcePreview[]): readonly ResourcePreview[] {
  return changes.toSorted(
    (a, b) => compareGoStrings(a.id, b.id) || compareGoStrings(a.apiVersion, b.apiVersion),
  );
}

function plain(object: JsonObject | null): JsonObject | null {
  const metadata = object?.["metadata"];
  if (object === null || !isJsonObject(metadata)) {
    return object;
  }
  const { labels, annotations, ...others } = metadata;
  return {
    ...object,
    metadata: {
      ...others,
      ...fieldWithout("labels", labels, markLabel),
      ...fieldWithout("annotations", annotations, checksumAnnotation),
    },
  };
}

/** An empty map goes too, because a sync would have added it. */
function fieldWithout(field: string, value: JsonObject[string] | undefined, key: string): JsonObject {
  if (!isJsonObject(value)) {
    return value === undefined ? {} : { [field]: value };
  }
  const rest = Object.entries(value).filter(([name]) => name !== key);
  return rest.length === 0 ? {} : { [field]: Object.fromEntries(rest) };
}
