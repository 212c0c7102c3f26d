/**
 * Previews a plan, object by object: takes the tasks of a plan, and returns the objects before and after, safe to show.
 * The server predicts each result with a dry run, so nothing is stored.
 */

import { equalJson, forEachBounded, messageOf } from "@weir/base";
import { gvkOf, type KubeObject } from "@weir/kube";
import type { ResourceCache } from "./cache/resource-cache.ts";
import { definedKind } from "./defined-kind.ts";
import { asJson } from "./diff/as-json.ts";
import { hideSecretData } from "./diff/secret-data.ts";
import { shownFields } from "./diff/shown-fields.ts";
import type { Change, OperationContext } from "./operations/context.ts";
import { KindFinder } from "./operations/kinds.ts";
import { TaskPerformer } from "./performer.ts";
import type { LeaveGuard } from "./sync/plan.ts";
import { isWork, type PruneTask, type SyncTask, type TargetTask } from "./sync/task.ts";

/** What one task would do. The objects omit status and server metadata, and the values of Secrets are hidden. */
export interface TaskPreview {
  readonly task: SyncTask;
  readonly change: Change;
  /** Undefined if the object doesn't exist yet. */
  readonly before: KubeObject | undefined;
  /** Undefined if the object would be deleted; if the server refuses the change, the requested object. */
  readonly after: KubeObject | undefined;
  /** Why the server refuses the change, in kubectl's words. */
  readonly error?: string;
  /** Why the object would be left alone. */
  readonly reason?: string;
}

/** The dependencies of a preview. */
export interface PreviewOptions {
  readonly context: OperationContext;
  readonly cache: ResourceCache;
  readonly parallelism: number;
  readonly waitMs: number;
  readonly leave: LeaveGuard | undefined;
}

/** Previews all tasks that would do something, and omits those without an effect. Rejects when aborted. */
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
    this.#performer = new TaskPerformer({ context, kinds, dryRun: true, leave, waitMs, operation: "" });
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

  /** The live object in full: for an object to prune, the cache may have only its metadata. */
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

/**
 * The namespaces and kinds that the plan itself creates: until then, the server can't preview objects that
 * need them.
 */
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

/**
 * True if the server would accept the write but nothing would change; only the result of the dry run shows
 * that.
 */
function comesToNothing({ change, before, after }: TaskPreview): boolean {
  return (
    change === "unchanged" ||
    (change === "configured" &&
      before !== undefined &&
      after !== undefined &&
      equalJson(asJson(before), asJson(after)))
  );
}
