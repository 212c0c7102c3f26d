/**
 * Finds out who changed objects that a sync is going to put back. Their managedFields say so, but only until they are
 * put back, and the cache doesn't keep them.
 */
import { invariant, isJsonObject, makeVisible } from "@weir/base";
import { type Drift, type FieldOwner, fieldOwnersOf, type JsonPath, ownerOfField } from "@weir/engine";
import type { ChangeAuthor } from "@weir/flux";
import { type ApiResource, type KubeObject, printKey, type ResourceKey, resourcePath } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import { differencesBetween } from "./field-differences.ts";
import { getObject } from "./get-object.ts";

/** How many objects are read before a sync; the history names no more. */
const mostRead = 20;

/** As long as the API server allows, in characters. */
const longestManager = 128;

/** How to read objects. */
export interface DriftSources {
  readonly cache: {
    resourceOf(kind: ResourceKey, version?: string): Promise<ApiResource | undefined>;
  };
  readonly client: Pick<RestClient, "json">;
}

/** Who changed objects, by their keys as text. */
export type ChangeAuthors = ReadonlyMap<string, ChangeAuthor>;

/** Remembers which objects have drifted since the last sync. */
export class DriftedObjects {
  #keys = new Map<string, ResourceKey>();

  /** Remembers the objects of a drift. */
  note({ objects }: Pick<Drift, "objects">): void {
    for (const { key, what } of objects) {
      if (what === "changed" && this.#keys.size < mostRead) {
        this.#keys.set(printKey(key), key);
      }
    }
  }

  /** Returns them, and forgets them: a sync begins. */
  take(): readonly ResourceKey[] {
    const keys = [...this.#keys.values()];
    this.#keys = new Map();
    return keys;
  }
}

/** Reads who changed these objects. What can't be read is left out. Rejects only if aborted. */
export async function readAuthors(
  keys: readonly ResourceKey[],
  targetOf: (key: ResourceKey) => KubeObject | undefined,
  { cache, client }: DriftSources,
  signal: AbortSignal,
): Promise<ChangeAuthors> {
  const authors = new Map<string, ChangeAuthor>();
  for (const key of keys) {
    const target = targetOf(key);
    const resource = target && (await cache.resourceOf(key));
    if (target !== undefined && resource !== undefined) {
      const path = resourcePath(resource, key.namespace, key.name);
      const live = await getObject(path, client, signal).catch(() => undefined);
      signal.throwIfAborted();
      const author = live && authorOf(live, target);
      if (author !== undefined) {
        authors.set(printKey(key), author);
      }
    }
  }
  return authors;
}

/**
 * Who last wrote any of the fields in which an object differs from its manifest. For a field that was removed nobody
 * is known, so if there are only those, it's who last wrote the object, apart from its status.
 */
export function authorOf(live: KubeObject, target: KubeObject): ChangeAuthor | undefined {
  const owners = fieldOwnersOf(live).filter(({ subresource }) => subresource !== "status");
  const found = placesOfDifferences(live, target).flatMap((place) => ownerOfField(owners, place) ?? []);
  const last = owners.find((owner) => found.length === 0 || found.includes(owner));
  return last && { manager: printable(last.manager), at: momentOf(last) };
}

/** Only of fields that the manifest has: others may have fields of their own. */
function placesOfDifferences(live: KubeObject, target: KubeObject): readonly JsonPath[] {
  invariant(isJsonObject(live) && isJsonObject(target), "Kubernetes objects are JSON objects");
  return differencesBetween(live, target).flatMap(({ place, after }) =>
    place === undefined || after === undefined ? [] : [place],
  );
}

/** Anybody can choose the name of a manager. */
function printable(manager: string): string {
  return makeVisible(manager.replaceAll(/\s+/g, " ")).slice(0, longestManager);
}

function momentOf({ time }: FieldOwner): Date | undefined {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
