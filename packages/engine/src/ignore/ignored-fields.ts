import { type JsonValue, stringifyGoJson } from "@weir/base";
import { gvkOf, type KubeObject } from "@weir/kube";
import { asJson } from "../diff/as-json.ts";
import { lastAppliedAnnotation, lastAppliedOf } from "../diff/last-applied.ts";
import { serverMetadata } from "../diff/shown-fields.ts";
import { overrideFor, type ResourceOverrides } from "../health/overrides.ts";
import { type IgnoredSelection, selectionFor } from "./ignored-differences.ts";
import { type JsonPath, outermost, pathOfPointer, withoutPaths } from "./json-path.ts";
import { type KeepInput, keepLiveValues } from "./keep-live.ts";
import { foreignPaths, isAppliedBy, managedFieldsOf, ownedPaths } from "./owned-paths.ts";
import type { PathFinder } from "./path-finder.ts";

/** A target and its live object, which has its managedFields if the selection needs them. */
export interface ComparedPair {
  readonly target: KubeObject;
  readonly live: KubeObject;
}

/** What to write. */
export interface Kept extends ComparedPair, Pick<KeepInput, "schema" | "replaces"> {
  /** A field manager of server-side apply. */
  readonly owner: string | undefined;
}

/** Applies the rules about fields that others may set. */
export class IgnoredFields {
  readonly #overrides: ResourceOverrides;
  readonly #jq: PathFinder;

  constructor(overrides: ResourceOverrides, jq: PathFinder) {
    this.#overrides = overrides;
    this.#jq = jq;
  }

  /**
   * What to ignore in a target and its live object; undefined if nothing. `byRules` is false: only what a controller of
   * Kubernetes owns.
   */
  selectionFor(target: KubeObject, byRules = true): IgnoredSelection | undefined {
    const { ignoreDifferences = [] } = overrideFor(this.#overrides, gvkOf(target));
    return selectionFor(target, byRules ? ignoreDifferences : []);
  }

  /**
   * Both objects without what is ignored, if that can be said at once; otherwise undefined, and `cut` can. The live
   * object's last-applied configuration is cut too. Throws PatchError for an invalid pointer or configuration.
   */
  cutNow(selection: IgnoredSelection, { target, live }: ComparedPair): ComparedPair | undefined {
    if (selection.expressions.length > 0 || selection.managers.length > 0) {
      return undefined;
    }
    const documents = documentsOf({ target, live });
    return cutOf(
      documents,
      documents.map((document) => pointed(document, selection)),
    );
  }

  /** Both objects without what is ignored. Rejects with PatchError, or with JqError. */
  async cut(selection: IgnoredSelection, pair: ComparedPair, signal: AbortSignal): Promise<ComparedPair> {
    const documents = documentsOf(pair);
    return cutOf(documents, await this.#paths(selection, documents, pair.live, signal));
  }

  /**
   * The target with the live values of what is ignored (see keepLiveValues). With `owner`, only of what this field
   * manager applied: the rest is left to others. Rejects like `cut`.
   */
  async keepLive(
    selection: IgnoredSelection,
    { target, live, owner, ...rules }: Kept,
    signal: AbortSignal,
  ): Promise<KubeObject> {
    const documents = documentsOf({ target, live });
    const paths = await this.#paths(selection, documents, live, signal);
    const [targetPaths = [], livePaths = [], appliedPaths = []] = paths.map((each) => each.filter(isWritten));
    const [wanted, there, applied] = documents;
    const input = { target: wanted, live: there, applied, targetPaths, livePaths, appliedPaths, ...rules };
    const kept = keepLiveValues(input);
    if (owner === undefined) {
      return toObject(kept);
    }
    const own = managedFieldsOf(live).find((entry) => isAppliedBy(entry, owner));
    const [ignored = []] = await this.#paths(selection, [kept], live, signal);
    const others = foreignPaths(
      kept,
      ignored.filter(isWritten),
      own === undefined ? [] : ownedPaths(kept, own.fields),
    );
    return toObject(withoutPaths(kept, others));
  }

  async #paths(
    selection: IgnoredSelection,
    documents: readonly JsonValue[],
    live: KubeObject,
    signal: AbortSignal,
  ): Promise<readonly (readonly JsonPath[])[]> {
    const owned = managedFieldsOf(live).filter(({ manager }) => selection.managers.includes(manager));
    const selected = await Promise.all(
      selection.expressions.map((expression) => this.#jq.find(expression, documents, signal)),
    );
    return documents.map((document, index) =>
      outermost([
        ...pointed(document, selection),
        ...owned.flatMap(({ fields }) => ownedPaths(document, fields)).filter(isRemovable),
        ...selected.flatMap((paths) => paths[index] ?? []).filter(isRemovable),
      ]),
    );
  }
}

/** The target, the live object, and its last-applied configuration, or null. */
type Documents = readonly [JsonValue, JsonValue, JsonValue];

function documentsOf({ target, live }: ComparedPair): Documents {
  return [asJson(target), asJson(live), lastAppliedOf(live)];
}

function pointed(document: JsonValue, { pointers }: IgnoredSelection): readonly JsonPath[] {
  return pointers.flatMap((pointer) => {
    const path = pathOfPointer(document, pointer);
    return path === undefined || !isRemovable(path) ? [] : [path];
  });
}

function cutOf(
  [target, live, applied]: Documents,
  [targetPaths = [], livePaths = [], appliedPaths = []]: readonly (readonly JsonPath[])[],
): ComparedPair {
  const rest = toObject(withoutPaths(live, livePaths));
  const cutTarget = toObject(withoutPaths(target, targetPaths));
  if (applied === null) {
    return { target: cutTarget, live: rest };
  }
  const text = `${stringifyGoJson(withoutPaths(applied, appliedPaths))}\n`;
  const annotations = { ...rest.metadata.annotations, [lastAppliedAnnotation]: text };
  return { target: cutTarget, live: { ...rest, metadata: { ...rest.metadata, annotations } } };
}

/** Paths are never cut that identify the object. */
function toObject(value: JsonValue): KubeObject {
  return value as unknown as KubeObject;
}

/** False for what identifies an object. */
function isRemovable([field, name, ...rest]: JsonPath): boolean {
  if (field === "metadata") {
    return name !== undefined && !(rest.length === 0 && (name === "name" || name === "namespace"));
  }
  return field !== undefined && field !== "apiVersion" && field !== "kind";
}

/** False for fields that a manifest doesn't set: what the server and controllers say about the object. */
function isWritten([field, name, member]: JsonPath): boolean {
  if (field === "metadata") {
    return typeof name === "string" && !serverMetadata.has(name) && member !== lastAppliedAnnotation;
  }
  return field !== "status";
}
