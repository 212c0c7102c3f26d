import { kubernetesLimits } from "@weir/base";
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
  readonly signal: AbortSignal;
}

/** All objects of a list, as of that resource version. */
export type ObjectList = Omit<ListPage, "next">;

/** Objects in one page of a list; same as client-go. */
const pageSize = 500;

/**
 * Lists all objects of a kind, page by page. Rejects with KubeApiError, MalformedAnswerError, or
 * LargeAnswerError.
 */
export async function listObjects(options: ListOptions): Promise<ObjectList> {
  try {
    return await pages(options);
  } catch (error) {
    // The pages of a slow list can expire before it's complete: then list everything at once.
    if (isForgotten(error)) {
      return await readPageOf(options, {}, kubernetesLimits.wholeList);
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

async function pages(options: ListOptions): Promise<ObjectList> {
  const objects: KubeObject[] = [];
  let limit = pageSize;
  let next = "";
  for (;;) {
    const page = await readSmallerPage(options, limit, next);
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
  }
}

/**
 * A page, and the page size that was small enough for it: a page of large objects is requested again at half
 * the size.
 */
async function readSmallerPage(
  options: ListOptions,
  limit: number,
  next: string,
): Promise<ListPage & { readonly limit: number }> {
  for (let smaller = limit; ; smaller = Math.floor(smaller / 2)) {
    try {
      const query = { limit: String(smaller), ...(next === "" ? {} : { continue: next }) };
      return { ...(await readPageOf(options, query)), limit: smaller };
    } catch (error) {
      if (!(error instanceof LargeAnswerError) || smaller === 1) {
        throw error;
      }
    }
  }
}

async function readPageOf(
  options: ListOptions,
  query: Readonly<Record<string, string>>,
  mostBytes?: number,
): Promise<ListPage> {
  const request = listRequest(options, query, "PartialObjectMetadataList");
  const answer = await options.client.json(mostBytes === undefined ? request : { ...request, mostBytes });
  return readPage(answer, options.resource);
}
