import { isJsonObject, type JsonObject } from "@weir/base";
import { type ResourceId, type ResourcePreview, toYaml, withoutBookkeeping } from "@weir/flux";
import type { WhyReport } from "@weir/flux/api";
import type { Answer } from "../contract/schemas.ts";
import { unifiedDiff } from "./previews.ts";

/** What's shown of what a daemon doesn't tell. */
const hidden = "# Not shown: it's confidential, or the daemon is too old to tell.\n";

/** Decides how a workload in git, in the cluster, and after the next sync is shown. */
export function comparisonOf(
  id: ResourceId,
  report: WhyReport,
  changes: readonly ResourcePreview[],
): Answer<"comparison"> {
  const resource = report.kind === "resource" ? report : undefined;
  const [git, live] = [resource?.git, resource?.live];
  const change = changes.find((each) => each.id === id && each.action !== "leave");
  const [before, after] = change === undefined ? sameOf(live?.object) : shownOf(change);
  return {
    git: git === undefined ? null : git.text || hidden,
    live: before === null ? (live === undefined ? null : hidden) : toYaml(before),
    predicted: after === null ? (change === undefined && live !== undefined ? hidden : null) : toYaml(after),
    changes: unifiedDiff(id, { label: "live", object: before }, { label: "predicted", object: after }),
  };
}

type States = readonly [before: JsonObject | null, after: JsonObject | null];

/** What the next sync changes nothing of. */
function sameOf(object: JsonObject | undefined): States {
  const [live = null] = object === undefined ? [] : shownOf({ before: object, after: object });
  return [live, live];
}

function shownOf(change: Pick<ResourcePreview, "before" | "after"> & Partial<ResourcePreview>): States {
  const kept = { id: "" as ResourceId, apiVersion: "", source: "", error: "", reason: "", ...change };
  const [shown] = withoutBookkeeping([{ ...kept, action: "run" }]);
  return [withoutNotes(shown?.before), withoutNotes(shown?.after)];
}

/** Repeats everything that kubectl or a sync has applied. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** An object without what the API server and syncs note down about it, and without its status, which no sync changes. */
function withoutNotes(object: JsonObject | null | undefined): JsonObject | null {
  if (object === null || object === undefined) {
    return null;
  }
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const annotations = isJsonObject(metadata["annotations"])
    ? without(metadata["annotations"], [lastApplied])
    : {};
  return {
    ...without(object, ["status"]),
    metadata: {
      ...without(metadata, ["annotations", "managedFields", "generation", "resourceVersion"]),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
  };
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
