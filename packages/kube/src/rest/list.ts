import { kubernetesLimits, orAborted } from "@weir/base";
import { type ApiResource, resourcePath } from "../api-resource.ts";
import { KubeApiError } from "../api-status.ts";
import type { KubeObject } from "../object.ts";
import { LargeAnswerError } from "./body.ts";
import { type ListPage, MalformedAnswerError, readPage } from "./list-watch-event.ts";
import type { RestClient, RestRequest } from "./rest.ts";

/** What to list. */
export interface ListOptions {
  readonly client: RestClient;
  readonly resource: ApiResource;
  /** "" for all namespaces, and for kinds without namespaces. */
  readonly namespace: string;
  readonly labelSelector?: string;
  /** Requests only the metadata of the objects. */
  readonly metadataOnly?: boolean;
  /** Called after each page but the last with its size in bytes; the next one isn't requested until it resolves. */
  readonly afterPage?: (bytes: number) => Promise<void>;
  /** How many objects to request at a time, asked at the beginning of each list; by default, 200. */
  readonly pageSize?: (() => number | undefined) | undefined;
  readonly signal: AbortSignal;
}

/** All objects of a list, as of that resource version. */
export type ObjectList<T = KubeObject> = Omit<ListPage<T>, "next">;

/**
 * Reduces an object to what the caller keeps of it. Called as soon as a page or a line is parsed, so that
 * however long a list is, no more than one page of whole objects is in memory.
 */
export type Take<T> = (object: KubeObject) => T;

/**
 * Objects in one page of a list. With 500, as in client-go, the pages of 100,000 objects leave so much behind
 * for the garbage collector that the process grows by 100 MB more; lists aren't much faster.
 */
const usualPageSize = 200;

/**
 * Lists all objects of a kind, page by page, and keeps what `take` returns for each. Rejects with KubeApiError,
 * MalformedAnswerError, or LargeAnswerError.
 */
export async function listAs<T>(options: ListOptions, take: Take<T>): Promise<ObjectList<T>> {
  try {
    return await pages(options, take);
  } catch (error) {
    // The pages of a slow list can expire before it's complete: then list everything at once.
    if (isForgotten(error)) {
      return await readPageOf(options, take, { query: {}, mostBytes: kubernetesLimits.wholeList });
    }
    throw error;
  }
}

/** A request for objects; `form` is the type of response if only metadata is requested. */
export function listRequest(
  { resource, namespace, labelSelector, metadataOnly, signal }: ListOptions,
  query: Readonly<Record<string, string>>,
  form: "PartialObjectMetadata" | "PartialObjectMetadataList",
): RestRequest {
  return {
    method: "GET",
    path: resourcePath(resource, namespace),
    query: labelSelector === undefined ? query : { ...query, labelSelector },
    ...(metadataOnly === true
      ? { accept: `application/json;as=${form};g=meta.k8s.io;v=v1,application/json` }
      : {}),
    signal,
  };
}

/** True if the server no longer has the requested version: 410 for a request, Expired in a watch. */
export function isForgotten(error: unknown): boolean {
  return (
    error instanceof KubeApiError &&
    (error.status.code === 410 || ["Expired", "Gone"].includes(error.status.reason))
  );
}

async function pages<T>(options: ListOptions, take: Take<T>): Promise<ObjectList<T>> {
  const objects: T[] = [];
  let limit = options.pageSize?.() ?? usualPageSize;
  let next = "";
  for (;;) {
    const page = await readSmallerPage(options, take, { limit, next });
    page.objects.forEach((object) => objects.push(object));
    if (page.next === "") {
      return { objects, resourceVersion: page.resourceVersion };
    }
    if (objects.length > kubernetesLimits.listedObjects) {
      throw new MalformedAnswerError(
        `the list of ${options.resource.resource} has more than ${kubernetesLimits.listedObjects} objects, which is the limit`,
      );
    }
    ({ next, limit } = page);
    if (options.afterPage !== undefined) {
      await orAborted(options.afterPage(page.bytes), options.signal);
    }
  }
}

/** A place in a list: the most objects of the page, and the token of the page. */
interface Place {
  readonly limit: number;
  readonly next: string;
}

/** A page, and how many bytes it had. */
interface SizedPage<T> extends ListPage<T> {
  readonly bytes: number;
}

/**
 * A page, and the page size that was small enough for it: a page of large objects is requested again at half
 * the size.
 */
async function readSmallerPage<T>(
  options: ListOptions,
  take: Take<T>,
  { limit, next }: Place,
): Promise<SizedPage<T> & Place> {
  for (let smaller = limit; ; smaller = Math.floor(smaller / 2)) {
    try {
      const query = { limit: String(smaller), ...(next === "" ? {} : { continue: next }) };
      return { ...(await readPageOf(options, take, { query })), limit: smaller };
    } catch (error) {
      if (!(error instanceof LargeAnswerError) || smaller === 1) {
        throw error;
      }
    }
  }
}

async function readPageOf<T>(
  options: ListOptions,
  take: Take<T>,
  page: { readonly query: Readonly<Record<string, string>>; readonly mostBytes?: number },
): Promise<SizedPage<T>> {
  const { query, mostBytes } = page;
  let bytes = 0;
  const onSize = (size: number): void => {
    bytes = size;
  };
  const request = { ...listRequest(options, query, "PartialObjectMetadataList"), onSize };
  const answer = await options.client.json(mostBytes === undefined ? request : { ...request, mostBytes });
  return { ...readPage(answer, options.resource, take), bytes };
}
