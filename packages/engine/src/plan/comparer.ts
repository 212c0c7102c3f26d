import { apiVersionOf, type GroupVersionKind, gvkOf, type KubeObject } from "@weir/kube";
import type { PatchSchema } from "@weir/kube/patch";
import type { SchemaSource } from "@weir/kube/rest";
import { type Verdict, verdictOn } from "../diff/normalize.ts";
import type { DiffQuestion } from "../dry-run/server-diff.ts";
import type { IgnoredFields } from "../ignore/ignored-fields.ts";
import type { ServerSideSettings } from "../operations/server-side-settings.ts";
import { type ServerSideDiff, serverSideDiffOf } from "./compare-options.ts";
import { hookPhasesOf } from "./hooks.ts";
import type { Comparison, PlanOptions } from "./plan.ts";
import type { LiveState, TargetPair } from "./reconcile.ts";
import type { ApplyMethod } from "./sync-options.ts";
import { TargetMemory } from "./target-memory.ts";
import { targetOptionsOf } from "./target-options.ts";

/**
 * Compares targets with live objects, without the fields that others may set, and remembers the results. Where both
 * don't tell whether they differ, it says what to ask the server.
 */
export class Comparer {
  readonly #options: ComparerOptions;
  readonly #memory = new TargetMemory((target, live) => this.#verdictNow(target, live) === "in-sync");
  /** Patch rules by kind; a kind whose rules couldn't be fetched is missing. */
  readonly #schemas = new Map<string, PatchSchema | undefined>();

  constructor(options: ComparerOptions) {
    this.#options = options;
  }

  /** Learns what comparing objects of a kind needs. Never rejects. */
  async learn(gvk: GroupVersionKind, signal: AbortSignal): Promise<void> {
    const name = textOf(gvk);
    if (this.#schemas.has(name)) {
      return;
    }
    try {
      this.#schemas.set(name, await this.#options.schemas.schemaFor(gvk, signal));
    } catch {
      // Its objects are applied without comparison, and each reports its own error.
    }
  }

  /** What applying a target would do. */
  compare(target: KubeObject, live: LiveState, method: ApplyMethod): Comparison {
    const isKnown = this.#schemas.has(textOf(gvkOf(target)));
    return isKnown ? this.#memory.compare(target, live, method) : "apply";
  }

  /** Compares a target with a live object in its own version; the next call finds the result in the memory. */
  isInSync(target: KubeObject, live: KubeObject): boolean {
    return this.#memory.isInSync(target, live);
  }

  /** The server has said whether applying a target to this live object changes nothing. */
  told(target: KubeObject, live: KubeObject, changesNothing: boolean): void {
    if (changesNothing) {
      this.#memory.verified(target, live);
    } else {
      this.#memory.refuted(target, live);
    }
  }

  /** What to ask the server about a target; undefined if there is nothing to ask. */
  questionAbout(
    { target: { object: target, apply, isNamespaceOfUnit = false }, live: state }: TargetPair,
    { options, serverSideDiff = "auto", serverSide }: Asked,
    signal: AbortSignal,
  ): DiffQuestion | undefined {
    if (apply === false || hookPhasesOf(target, options.helmHooks !== false) !== undefined) {
      return undefined;
    }
    const live = state.kind === "absent" ? undefined : state.object;
    // As in the plan: the namespace of a unit is applied server-side, or left as it is.
    const said = { ...targetOptionsOf(target, options), ...(isNamespaceOfUnit && serverSideMethod) };
    const when = serverSideDiffOf(target) ?? serverSideDiff;
    const isKnown = this.#schemas.has(textOf(gvkOf(target)));
    if (live === undefined || !isKnown) {
      return undefined;
    }
    if (when !== "always" && !this.#mayBeSame(target, state, said.method, when)) {
      return undefined;
    }
    return {
      target,
      live,
      options: said,
      serverSide,
      when,
      needsOwners: (this.#options.ignored?.selectionFor(target)?.managers ?? []).length > 0,
      verdictOn: (there) => this.#verdictOn(target, there, signal),
      cut: (before, after) => this.#cut(target, [before, after], signal),
    };
  }

  /** True if there is a difference, which may be none. */
  #mayBeSame(target: KubeObject, live: LiveState, method: ApplyMethod, when: ServerSideDiff): boolean {
    if (this.compare(target, live, method) === "unchanged") {
      return false;
    }
    if (method === "server-side") {
      return when !== "never";
    }
    if (live.kind !== "present") {
      return true;
    }
    const verdict = this.#verdictNow(target, live.object);
    return verdict === undefined || (verdict === "doubtful" && when !== "never");
  }

  /**
   * The verdict, if it can be given at once; undefined if the fields to ignore have to be found first. An object that
   * can't be compared has changed: applying it reports why.
   */
  #verdictNow(target: KubeObject, live: KubeObject): Verdict | undefined {
    const { ignored } = this.#options;
    try {
      const verdict = this.#compare(target, live);
      const selection = verdict === "in-sync" ? undefined : ignored?.selectionFor(target);
      if (ignored === undefined || selection === undefined) {
        return verdict;
      }
      const cut = ignored.cutNow(selection, { target, live });
      return cut && this.#compare(cut.target, cut.live);
    } catch {
      return "changed";
    }
  }

  /** The verdict without what is ignored. Rejects if that can't be found. */
  async #verdictOn(target: KubeObject, live: KubeObject, signal: AbortSignal): Promise<Verdict> {
    const { ignored } = this.#options;
    const selection = ignored?.selectionFor(target);
    if (ignored === undefined || selection === undefined) {
      return this.#compare(target, live);
    }
    const cut = await ignored.cut(selection, { target, live }, signal);
    return this.#compare(cut.target, cut.live);
  }

  async #cut(
    target: KubeObject,
    [before, after]: readonly [KubeObject, KubeObject],
    signal: AbortSignal,
  ): Promise<readonly [KubeObject, KubeObject]> {
    const { ignored } = this.#options;
    const selection = ignored?.selectionFor(target);
    if (ignored === undefined || selection === undefined) {
      return [before, after];
    }
    const one = await ignored.cut(selection, { target, live: before }, signal);
    // A dry run may give fields to another manager.
    const managedFields = before.metadata["managedFields"];
    const then = { ...after, metadata: { ...after.metadata, managedFields } };
    const other = await ignored.cut(selection, { target, live: then }, signal);
    return [one.live, other.live];
  }

  #compare(target: KubeObject, live: KubeObject): Verdict {
    return verdictOn(target, live, this.#schemas.get(textOf(gvkOf(target))));
  }
}

/** The dependencies of a comparer. */
export interface ComparerOptions {
  readonly schemas: SchemaSource;
  /** The fields that others may set; absent: none. */
  readonly ignored?: IgnoredFields;
}

/** What a request says of comparing its targets. */
export interface Asked {
  readonly options: PlanOptions;
  readonly serverSideDiff?: ServerSideDiff | undefined;
  readonly serverSide?: ServerSideSettings | undefined;
}

const serverSideMethod = { method: "server-side" } as const;

function textOf({ group, version, kind }: GroupVersionKind): string {
  return `${apiVersionOf(group, version)}/${kind}`;
}
