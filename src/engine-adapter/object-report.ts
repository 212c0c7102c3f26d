/**
 * Reports on one object: what a sync would do with it, in which fields it differs from its manifest, and who wrote
 * them. Only this reads an object with its managedFields, which the cache doesn't keep.
 */
import { isJsonObject, type JsonObject, messageOf } from "@weir/base";
import {
  type ClusterCache,
  type ClusterEngine,
  type FieldOwner,
  fieldOwnersOf,
  ownerOfField,
  type SyncPlan,
  type SyncRequest,
  type SyncTask,
  type TaskPreview,
  tasksOf,
} from "@weir/engine";
import {
  clusterScope,
  type FieldDifference,
  type FieldWriter,
  hasPolicy,
  type LeftAsItIs,
  type ObjectReport,
  partsOfResourceId,
  type ResourceId,
} from "@weir/flux";
import {
  type ApiResource,
  annotationOf,
  gvkOf,
  type KubeObject,
  keyOf,
  type ResourceKey,
  resourcePath,
} from "@weir/kube";
import type { Discovery, RestClient } from "@weir/kube/rest";
import { hideInMessage } from "./confidential.ts";
import { differencesBetween } from "./field-differences.ts";
import { getObject } from "./get-object.ts";
import { keptReason } from "./kept-reason.ts";
import { idOf } from "./object-id.ts";
import { resourcePreviews } from "./sync-preview.ts";
import { ignoredInFile } from "./sync-report.ts";
import type { TargetSet } from "./target-set.ts";

/** How to reach the cluster. */
export interface ObjectSources {
  readonly engine: Pick<ClusterEngine, "plan" | "preview">;
  readonly cache: Pick<ClusterCache, "resourceOf" | "healthOf">;
  readonly client: Pick<RestClient, "json">;
  readonly discovery: Pick<Discovery, "kinds">;
}

/** Which object to report on, and what's known about it. */
export interface ObjectQuery {
  readonly id: ResourceId;
  readonly made: TargetSet;
  readonly request: SyncRequest;
  /** The error from when it was last applied, or "". */
  readonly syncError: string;
}

/** An object as a sync sees it. */
interface Subject {
  readonly key: ResourceKey;
  readonly task: SyncTask | undefined;
  readonly left: LeftAsItIs | undefined;
  readonly sync: ObjectReport["sync"];
}

/** The live object as it was read, in the version of the manifest if there is one. */
interface Live {
  readonly isServed: boolean;
  readonly object: KubeObject | undefined;
  readonly problem: string;
}

const nothing: ObjectReport = {
  isServed: true,
  exists: false,
  apiVersion: "",
  sync: "",
  action: "none",
  phase: "",
  wave: 0,
  refusal: "",
  syncError: "",
  health: "",
  healthMessage: "",
  owner: "",
  differences: [],
  writers: [],
  problem: "",
};

/** The report for an object that the allowed namespaces exclude; nothing is read. */
export const excludedReport: ObjectReport = {
  ...nothing,
  left: { guard: "excluded", reason: "excluded by --k8s-allow-namespace" },
};

/** Reports on one object, whether or not it's in git. Rejects if the cluster can't be listed. */
export async function reportObject(
  { id, made, request, syncError }: ObjectQuery,
  sources: ObjectSources,
  signal: AbortSignal,
): Promise<ObjectReport> {
  const broken = made.broken.find((each) => each.id === id);
  if (broken !== undefined) {
    return { ...nothing, syncError, left: { guard: "broken", reason: broken.error } };
  }
  const plan = await sources.engine.plan(request, signal);
  const target = made.targets.find(({ object }) => made.resourceOf(keyOf(object))?.id === id)?.object;
  const subject = subjectOf({ id, made, request, plan, target });
  const live = await readLive({ id, target, key: subject?.key }, sources, signal);
  const preview =
    subject?.task === undefined || subject.task.action === "unchanged"
      ? undefined
      : await previewOne(subject.key, request, sources, signal);
  const confidential = subject && made.resourceOf(subject.key)?.confidential;
  const isHidden = confidential !== undefined || (live.object ?? target)?.kind === "Secret";
  const owners = live.object === undefined ? [] : fieldOwnersOf(live.object);
  const health = live.object && sources.cache.healthOf(live.object);
  const isUnpruned = subject === undefined && isKeptByFlag(live.object, request);
  const left = isUnpruned ? { guard: "prune-off", reason: "pruning is off" } : subject?.left;
  return {
    ...nothing,
    isServed: live.isServed,
    exists: live.object !== undefined,
    apiVersion: (target ?? live.object)?.apiVersion ?? "",
    sync: subject?.sync ?? (isUnpruned ? "Obsolete" : ""),
    action: actionOf(subject, preview, { made, plan, revision: request.revision }),
    phase: subject?.task?.phase ?? hookIn(target),
    wave: subject?.task?.wave ?? 0,
    refusal: hideInMessage(preview?.error ?? "", confidential),
    syncError,
    ...(left === undefined ? {} : { left }),
    health: health?.status ?? "",
    healthMessage: hideInMessage(health?.message ?? "", confidential),
    owner: ownerOf(live.object),
    differences: differencesIn(preview, owners, isHidden),
    writers: owners.map(writerOf),
    ...(isHidden ? {} : shownLive(live.object)),
    problem: live.problem,
  };
}

/** The object without who wrote its fields, which is told separately. */
function shownLive(object: KubeObject | undefined): Pick<ObjectReport, "live"> {
  const { metadata, ...others }: JsonObject = isJsonObject(object) ? object : {};
  if (!isJsonObject(metadata)) {
    return {};
  }
  return { live: { ...others, metadata: withoutMember(metadata, "managedFields") } };
}

function withoutMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

/** Without garbage collection, plans don't look for what is no longer in git. */
function isKeptByFlag(live: KubeObject | undefined, { prune, isManaged }: SyncRequest): boolean {
  return live !== undefined && prune === "off" && isManaged(live);
}

function subjectOf({
  id,
  made,
  request,
  plan,
  target,
}: Omit<ObjectQuery, "syncError"> & {
  readonly plan: SyncPlan;
  readonly target: KubeObject | undefined;
}): Subject | undefined {
  const isThis = (key: ResourceKey): boolean => (made.resourceOf(key)?.id ?? idOf(key)) === id;
  const kept = plan.kept.find(({ key }) => isThis(key));
  if (kept !== undefined) {
    const { key, guard, isTarget } = kept;
    const reason = keptReason(kept, request.revision);
    const left = { guard: isTarget && guard === "kept" ? "ignored-live" : guard, reason };
    return { key, task: undefined, left, sync: isTarget ? "Ignored" : "Obsolete" };
  }
  const resource = target && made.resourceOf(keyOf(target));
  if (target !== undefined && resource !== undefined && hasPolicy(resource.policies, "ignore")) {
    const left = { guard: "ignored", reason: ignoredInFile };
    return { key: keyOf(target), task: undefined, left, sync: "Ignored" };
  }
  const task = tasksOf(plan).find(({ key }) => isThis(key));
  if (task === undefined) {
    return target && { key: keyOf(target), task: undefined, left: undefined, sync: "" };
  }
  const isGoing = task.action === "prune" || task.action === "going";
  const sync = isGoing ? "Obsolete" : task.action === "unchanged" ? "Synced" : "OutOfSync";
  return { key: task.key, task, left: undefined, sync: task.action === "hook" ? "" : sync };
}

/** Asks the server only about this object. A selection leaves out hooks, which aren't compared anyway. */
async function previewOne(
  { group, kind, namespace, name }: ResourceKey,
  request: SyncRequest,
  { engine }: ObjectSources,
  signal: AbortSignal,
): Promise<TaskPreview | undefined> {
  const selection = [{ group, kind, namespace, name }];
  const { tasks } = await engine.preview({ ...request, selection }, signal);
  return tasks.find(({ task }) => task.key.kind === kind && task.key.name === name);
}

function actionOf(
  subject: Subject | undefined,
  preview: TaskPreview | undefined,
  { made, plan, revision }: { readonly made: TargetSet; readonly plan: SyncPlan; readonly revision: string },
): ObjectReport["action"] {
  if (subject?.task?.action === "hook") {
    return "run";
  }
  const [shown] =
    preview === undefined
      ? []
      : resourcePreviews({ tasks: [preview], plan: { ...plan, kept: [] } }, made, revision);
  return shown === undefined || shown.action === "leave" ? "none" : shown.action;
}

/** Whether an object is a hook can be seen in its annotations even if no hook runs now. */
function hookIn(target: KubeObject | undefined): string {
  const names = ["weir.dev/hook", "argocd.argoproj.io/hook"];
  return names.flatMap((name) => (target && annotationOf(target, name)) ?? []).at(0) ?? "";
}

interface Wanted {
  readonly id: ResourceId;
  readonly target: KubeObject | undefined;
  readonly key: ResourceKey | undefined;
}

async function readLive(wanted: Wanted, sources: ObjectSources, signal: AbortSignal): Promise<Live> {
  const resources = await resourcesFor(wanted, sources);
  const { namespace, name } = partsOfResourceId(wanted.id);
  try {
    for (const resource of resources) {
      const path = resourcePath(resource, namespace === clusterScope ? "" : namespace, name);
      const object = await getObject(path, sources.client, signal);
      if (object !== undefined) {
        return { isServed: true, object, problem: "" };
      }
    }
    return { isServed: resources.length > 0, object: undefined, problem: "" };
  } catch (error) {
    signal.throwIfAborted();
    return { isServed: true, object: undefined, problem: messageOf(error) };
  }
}

/** Where the object can be; IDs contain neither the group nor the case of the kind. */
async function resourcesFor(
  { id, target, key }: Wanted,
  { cache, discovery }: ObjectSources,
): Promise<readonly ApiResource[]> {
  if (target !== undefined || key !== undefined) {
    const gvk = target && gvkOf(target);
    const kind = gvk ?? key ?? { group: "", kind: "" };
    const resource = await cache.resourceOf(kind, gvk?.version);
    return resource === undefined ? [] : [resource];
  }
  const { namespace, kind } = partsOfResourceId(id);
  return (await discovery.kinds())
    .flatMap(({ versions: [resource] }) => (resource.kind.toLowerCase() === kind ? [resource] : []))
    .filter(({ namespaced, verbs }) => namespaced === (namespace !== clusterScope) && verbs.includes("get"));
}

function ownerOf(live: KubeObject | undefined): string {
  const owners = live?.metadata.ownerReferences ?? [];
  const owner = owners.find(({ controller }) => controller === true) ?? owners[0];
  return owner === undefined ? "" : `${owner.kind} ${owner.name}`;
}

function differencesIn(
  preview: TaskPreview | undefined,
  owners: readonly FieldOwner[],
  isHidden: boolean,
): readonly FieldDifference[] {
  const { before, after }: { before?: unknown; after?: unknown } = preview ?? {};
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return [];
  }
  return differencesBetween(before, after).map(({ path, place, before: live, after: git }) => {
    const owner = place && ownerOfField(owners, place);
    return {
      path,
      git: isHidden || git === undefined ? "" : JSON.stringify(git),
      live: isHidden || live === undefined ? "" : JSON.stringify(live),
      isHidden,
      ...(owner === undefined ? {} : { writer: writerOf(owner) }),
    };
  });
}

function writerOf({ manager, operation, subresource, time }: FieldOwner): FieldWriter {
  return { manager, operation, subresource, time };
}
