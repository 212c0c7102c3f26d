import { compareGoStrings, isJsonObject, type JsonValue, mapBounded } from "@weir/base";
import { markLabel, markOf } from "@weir/flux";
import type { SyncSettings } from "@weir/flux/api";
import { type ApiResource, apiVersionOf, isApiReason, type KubeObject, resourcePath } from "@weir/kube";
import { createDiscovery, type RestClient } from "@weir/kube/rest";
import { isExcludedKind } from "../../engine-adapter/excluded-kinds.ts";
import { liveIdOf } from "../../engine-adapter/live-id.ts";
import { isDefinition, isNamespace } from "./object-roles.ts";
import { SecretHasher } from "./secret-hasher.ts";
import { printSnapshot, withoutServerFields } from "./snapshot.ts";

/** How many kinds are listed at a time. */
const atATime = 4;

/** How many objects a page of a list has. */
const pageSize = "500";

/** The text of a snapshot file, the number of objects in it, and sentences about what it lacks. */
export interface TakenSnapshot {
  readonly text: string;
  readonly objects: number;
  readonly notes: readonly string[];
}

/**
 * Reads what a comparison needs to know about a cluster, with hashes for the values of Secrets. Rejects if the cluster
 * doesn't respond.
 */
export async function snapshotOf(
  client: RestClient,
  settings: SyncSettings,
  signal: AbortSignal,
): Promise<TakenSnapshot> {
  const kinds = await createDiscovery(client).kinds();
  const hasher = new SecretHasher();
  const notes: string[] = [];
  const wanted = kinds
    .map(({ versions: [preferred] }) => preferred)
    .filter((kind) => kind.verbs.includes("list") && !isExcludedKind(kind, settings.excludedKinds));
  const lists = await mapBounded(wanted, atATime, async (kind) => {
    try {
      return await readKind(client, kind, settings.allowedNamespaces, signal);
    } catch (error) {
      if (!isApiReason(error, "Forbidden")) {
        throw error;
      }
      notes.push(`You don't have permission to list ${kind.resource}, so the snapshot contains none.`);
      return [];
    }
  });
  const own = lists.flat().filter((object) => isNeeded(object) || isApplied(object, settings));
  const objects = await mapBounded(own.map(trimmed), atATime, (object) => hasher.object(object));
  const sorted = objects.toSorted((a, b) => compareGoStrings(placeOf(a), placeOf(b)));
  return {
    text: printSnapshot({ settings, salt: hasher.salt, objects: sorted }),
    objects: sorted.length,
    notes,
  };
}

/** Definitions and namespaces all, of other kinds only what fluxd has applied. */
async function readKind(
  client: RestClient,
  kind: ApiResource,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const apiVersion = apiVersionOf(kind.group, kind.version);
  const type = { apiVersion, kind: kind.kind };
  const selector: Readonly<Record<string, string>> = isNeeded({ ...type, metadata: {} })
    ? {}
    : { labelSelector: markLabel };
  const found: KubeObject[] = [];
  for (const namespace of kind.namespaced && namespaces.length > 0 ? namespaces : [""]) {
    let next = "";
    do {
      const query = { ...selector, limit: pageSize, ...(next === "" ? {} : { continue: next }) };
      const path = resourcePath(kind, namespace);
      const page = (await client.json({ method: "GET", path, query, signal })) as JsonValue;
      const { items, metadata } = isJsonObject(page) ? page : {};
      found.push(
        ...(Array.isArray(items) ? items : []).map((item) => ({ ...(item as KubeObject), ...type })),
      );
      const token = isJsonObject(metadata) ? metadata["continue"] : undefined;
      next = typeof token === "string" ? token : "";
    } while (next !== "");
  }
  return found;
}

function isNeeded(object: KubeObject): boolean {
  return isDefinition(object) || isNamespace(object);
}

/** Another fluxd can have applied objects in the same cluster. */
function isApplied(object: KubeObject, { syncSetName }: SyncSettings): boolean {
  return object.metadata.labels?.[markLabel] === markOf(syncSetName, liveIdOf(object));
}

/** Of namespaces that somebody else has made, only the name. */
function trimmed(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  return isNamespace(object) && metadata.labels?.[markLabel] === undefined
    ? { apiVersion, kind, metadata: { ...(metadata.name === undefined ? {} : { name: metadata.name }) } }
    : withoutServerFields(object);
}

function placeOf({ apiVersion, kind, metadata: { namespace = "", name = "" } }: KubeObject): string {
  return [apiVersion, kind, namespace, name].join("\n");
}
