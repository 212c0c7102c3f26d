import { isJsonObject, type JsonObject } from "@weir/base";
import type { KeptObject, Preview, TaskPreview } from "@weir/engine";
import type { ResourcePreview } from "@weir/flux";
import type { KubeObject } from "@weir/kube";
import { hideInMessage, hideInStates } from "./confidential.ts";
import { hideChecksums } from "./hidden-checksums.ts";
import { keptReason } from "./kept-reason.ts";
import { idOf } from "./object-id.ts";
import { ignoredInFile } from "./sync-report.ts";
import type { TargetSet } from "./target-set.ts";

/**
 * What a sync would do, by resource: the tasks in order, then the resources that it would leave unchanged, and the
 * broken ones.
 */
export function resourcePreviews(
  { tasks, plan }: Preview,
  made: TargetSet,
  revision: string,
): readonly ResourcePreview[] {
  const { ignored, excluded, broken } = made;
  return [
    ...tasks.map((each) => taskPreview(each, made)),
    ...plan.kept.filter(isTold).map((kept) => keptPreview(kept, made, revision)),
    ...ignored.map(({ id, source }) => ({ ...nothing, id, source, reason: ignoredInFile })),
    ...excluded.map((id) => ({ ...nothing, id, reason: "excluded by namespace constraints" })),
    ...broken.map(({ id, source, error }) => ({ ...nothing, id, source, error })),
  ];
}

const nothing = {
  apiVersion: "",
  source: "",
  action: "leave",
  before: null,
  after: null,
  error: "",
  reason: "",
} as const;

function taskPreview(preview: TaskPreview, { resourceOf }: Pick<TargetSet, "resourceOf">): ResourcePreview {
  const { task, error = "", reason = "" } = preview;
  const [before, after] = hideChecksums(preview.before, preview.after);
  const resource = resourceOf(task.key);
  const [shownBefore, shownAfter] = hideInStates([toJson(before), toJson(after)], resource?.confidential);
  return {
    id: resource?.id ?? idOf(task.key),
    apiVersion: (after ?? before)?.apiVersion ?? "",
    source: resource?.source ?? "",
    action: actionOf(preview),
    before: shownBefore,
    after: shownAfter,
    error: hideInMessage(error, resource?.confidential),
    reason,
  };
}

function actionOf({ task, change, before, error }: TaskPreview): ResourcePreview["action"] {
  if (task.action === "hook") {
    return "run";
  }
  if (task.action === "prune") {
    return "delete";
  }
  if (error !== undefined) {
    return before === undefined ? "create" : "change";
  }
  return change === "created" ? "create" : change === "none" ? "leave" : "change";
}

function keptPreview(
  kept: KeptObject,
  { resourceOf }: Pick<TargetSet, "resourceOf">,
  revision: string,
): ResourcePreview {
  const { key } = kept;
  const resource = resourceOf(key);
  const reason = keptReason(kept, revision);
  return { ...nothing, id: resource?.id ?? idOf(key), source: resource?.source ?? "", reason };
}

/** Objects that belong to somebody else or are being deleted anyway aren't worth showing. */
function isTold({ guard }: KeptObject): boolean {
  return guard !== "owned" && guard !== "being-deleted";
}

function toJson(object: KubeObject | undefined): JsonObject | null {
  return isJsonObject(object) ? object : null;
}
