/**
 * Previews a plan, object by object: takes the tasks of a plan, and returns the objects before and after, safe to show.
 * The server predicts each result with a dry run, so nothing is stored.
 */

import { equalJson, forEachBounded } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { asJson } from "../diff/as-json.ts";
import { hideSecretData } from "../diff/secret-data.ts";
import { shownFields } from "../diff/shown-fields.ts";
import type { Change } from "../operations/context.ts";
import { type HookTask, isDeletion, isWork, type SyncTask } from "../plan/task.ts";
import { DryRunner, type DryRunOptions, uncheckedReason } from "./dry-runner.ts";

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
  /** Why the object would be left alone, or couldn't be checked. */
  readonly reason?: string;
}

/** The dependencies of a preview. */
export interface PreviewOptions extends DryRunOptions {
  readonly parallelism: number;
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
  readonly #runner: DryRunner;

  constructor(tasks: readonly SyncTask[], options: PreviewOptions) {
    this.#runner = new DryRunner(tasks, options);
  }

  async preview(task: SyncTask, signal: AbortSignal): Promise<TaskPreview> {
    const wanted = isDeletion(task) ? undefined : task.target;
    if (task.action === "hook") {
      return { task, change: "created", ...shown(undefined, wanted) };
    }
    let before = task.live;
    try {
      before = await this.#liveOf(task, signal);
    } catch {
      // The dry run reports why, or that it doesn't matter.
    }
    const result = await this.#runner.try(task, signal);
    switch (result.kind) {
      case "accepted": {
        const { change, live, reason } = result.deed;
        const after = change === "created" ? wanted : live;
        return { task, change, ...shown(before, after), ...(reason === undefined ? {} : { reason }) };
      }
      case "unchecked":
        return { task, change: "created", ...shown(before, wanted), reason: uncheckedReason(result.reason) };
      case "refused":
        return { task, change: "none", ...shown(before, wanted), error: result.error };
    }
  }

  /** The live object in full: for an object to prune, the cache may have only its metadata. */
  async #liveOf(task: Exclude<SyncTask, HookTask>, signal: AbortSignal): Promise<KubeObject | undefined> {
    switch (task.action) {
      case "prune":
        return this.#runner.read(task.live, signal);
      case "apply":
        return this.#runner.read(task.target, signal);
      case "create":
      case "patch":
      case "unchanged":
      case "going":
        return task.live;
    }
  }
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
