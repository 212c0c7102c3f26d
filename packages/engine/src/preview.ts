/**
 * What a plan would do, object by object, fit to be shown: in go the tasks of a plan, out come the objects before and
 * after. The server is asked what it would make of each, and keeps nothing of it.
 */

import { equalJson, forEachBounded, messageOf } from "@weir/base";
import { gvkOf, type KubeObject } from "@weir/kube";
import type { ResourceCache } from "./cache/resource-cache.ts";
import { asJson } from "./diff/as-json.ts";
import { hideSecretData } from "./diff/secret-data.ts";
import { shownFields } from "./diff/shown-fields.ts";
import type { Change, OperationContext } from "./operations/context.ts";
import { definedKind, KindFinder } from "./operations/kinds.ts";
import { TaskPerformer } from "./performer.ts";
import type { LeaveGuard } from "./sync/plan.ts";
import { isWork, type PruneTask, type SyncTask, type TargetTask } from "./sync/task.ts";

/** What one task would do. Status and bookkeeping are left out of the objects, and what Secrets hold is hidden. */
export interface TaskPreview {
  readonly task: SyncTask;
  readonly change: Change;
  /** Undefined where there is no such object yet. */
  readonly before: KubeObject | undefined;
  /** Undefined where it would be gone; where the server refuses it, what was asked for. */
  readonly after: KubeObject | undefined;
  /** Why the server refuses it, as kubectl words it. */
  readonly error?: string;
  /** Why it would be left alone. */
  readonly reason?: string;
}

/** What previews are made with. */
export interface PreviewOptions {
  readonly context: OperationContext;
  readonly cache: ResourceCache;
  readonly parallelism: number;
  readonly waitMs: number;
  readonly leave: LeaveGuard | undefined;
}

/** Looks ahead at all tasks that have something to do; those that come to nothing are left out. Rejects when aborted. */
export async function previewTasks(
  tasks: readonly SyncTask[],
  options: PreviewOptions,
  signal: AbortSignal,
): Promise<readonly TaskPreview[]> {
  const previewer = new Previewer(tasks, options);
  const found = new Map<string, TaskPreview>();
  const look = async (task: SyncTask): Promise<void> => {
    found.set(task.id, await previewer.preview(task, signal));
  };
  await forEachBounded(tasks.filter(isWork), options.parallelism, look, signal);
  signal.throwIfAborted();
  return tasks.flatMap(({ id }) => found.get(id) ?? []).filter((preview) => !comesToNothing(preview));
}

class Previewer {
  readonly #performer: TaskPerformer;
  readonly #coming: Coming;

  constructor(tasks: readonly SyncTask[], { context, cache, waitMs, leave }: PreviewOptions) {
    const kinds = new KindFinder(context, cache, []);
    this.#performer = new TaskPerformer({ context, kinds, dryRun: true, leave, waitMs });
    this.#coming = comingWith(tasks);
  }

  async preview(task: SyncTask, signal: AbortSignal): Promise<TaskPreview> {
    const wanted = task.action === "prune" ? undefined : task.target;
    if (task.action === "hook" || isAwaited(task, this.#coming)) {
      return { task, change: "created", ...shown(undefined, wanted) };
    }
    let before = task.live;
    try {
      before = await this.#liveOf(task, signal);
      const { change, live, reason } = await this.#performer.perform(task, signal);
      const after = change === "created" ? wanted : live;
      return { task, change, ...shown(before, after), ...(reason === undefined ? {} : { reason }) };
    } catch (error) {
      return { task, change: "none", ...shown(before, wanted), error: messageOf(error) };
    }
  }

  /** The live object whole: of what is to be pruned the cache may have the metadata only. */
  async #liveOf(task: TargetTask | PruneTask, signal: AbortSignal): Promise<KubeObject | undefined> {
    switch (task.action) {
      case "prune":
        return this.#performer.read(task.live, signal);
      case "apply":
        return this.#performer.read(task.target, signal);
      case "create":
      case "patch":
      case "unchanged":
        return task.live;
    }
  }
}

/** The namespaces and kinds that a plan brings itself: until then the server cannot be asked for what needs them. */
interface Coming {
  readonly namespaces: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function comingWith(tasks: readonly SyncTask[]): Coming {
  const created = tasks.flatMap((task) => (task.action === "create" ? [task.target] : []));
  return {
    namespaces: new Set(created.filter(isNamespace).map(({ metadata }) => metadata.name ?? "")),
    kinds: new Set(created.flatMap((target) => definedKind(target) ?? [])),
  };
}

function isAwaited(task: TargetTask | PruneTask, { namespaces, kinds }: Coming): boolean {
  const { group, kind, namespace } = task.key;
  return namespaces.has(namespace) || kinds.has(`${group}/${kind}`);
}

function isNamespace(object: KubeObject): boolean {
  return object.kind === "Namespace" && gvkOf(object).group === "";
}

function shown(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): Pick<TaskPreview, "before" | "after"> {
  const [hiddenBefore, hiddenAfter] = hideSecretData(
    before && shownFields(before),
    after && shownFields(after),
  );
  return { before: hiddenBefore, after: hiddenAfter };
}

/** What the server would take without a change; a dry run cannot tell that otherwise. */
function comesToNothing({ change, before, after }: TaskPreview): boolean {
  return (
    change === "unchanged" ||
    (change === "configured" &&
      before !== undefined &&
      after !== undefined &&
      equalJson(asJson(before), asJson(after)))
  );
}
