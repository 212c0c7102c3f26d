import { forEachBounded, isJsonObject } from "@weir/base";
import { KubeApiError, type KubeObject, type ResourceKey, resourcePath } from "@weir/kube";
import { listAs, type RestClient } from "@weir/kube/rest";
import type { ResourceEvent } from "./resource-cache.ts";
import type { WatchedKind } from "./watched-kinds.ts";

/** So many objects are read one by one, however few others there are. */
const few = 16;
/** A page of a list takes about as long as so many single reads. */
const readsPerPage = 10;
const pageSize = 200;
const parallelism = 8;

/** How to read the bodies of objects of one kind, and whom to tell. */
export interface BodyReading {
  readonly client: RestClient;
  readonly kind: WatchedKind;
  readonly onEvents: (events: readonly ResourceEvent[]) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads the bodies of objects that are held slim and became wanted: few of them one by one, many with a list
 * of the kind. What the server refuses stays slim. Rejects if the server can't be reached.
 */
export async function readBodies(missing: readonly ResourceKey[], reading: BodyReading): Promise<void> {
  if (isListCheaper(missing.length, reading.kind)) {
    await listBodies(reading);
  } else {
    const read = (key: ResourceKey): Promise<void> => readBody(key, reading);
    await forEachBounded(missing, parallelism, read, reading.signal);
    reading.signal.throwIfAborted();
  }
}

/** True if a list of all objects of the kind takes less time than reading so many of them. */
function isListCheaper(missing: number, { store }: WatchedKind): boolean {
  const held = missing > few ? [...store.list()].length : 0;
  return missing > Math.max(few, Math.ceil(held / pageSize) * readsPerPage);
}

async function readBody(key: ResourceKey, { client, kind, onEvents, signal }: BodyReading): Promise<void> {
  const path = resourcePath(kind.watcher.resource, key.namespace, key.name);
  const answer = await unlessRefused(() => client.json({ method: "GET", path, signal }));
  if (isObject(answer)) {
    onEvents(kind.store.read(answer));
  }
}

async function listBodies({ client, kind, onEvents, signal }: BodyReading): Promise<void> {
  const { resource, scopes } = kind.watcher;
  const take = (object: KubeObject): void => onEvents(kind.store.read(object));
  for (const namespace of scopes) {
    await unlessRefused(() => listAs({ client, resource, namespace, signal }, take));
  }
}

function isObject(answer: unknown): answer is KubeObject {
  return isJsonObject(answer) && isJsonObject(answer["metadata"]);
}

/** The server's refusal of a read concerns only that read; whoever applies the object hears it again. */
async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof KubeApiError) {
      return undefined;
    }
    throw error;
  }
}
