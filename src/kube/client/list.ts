import { type ApiResource, resourcePath } from "../api-resource.ts";
import { KubeApiError } from "../api-status.ts";
import type { KubeObject } from "../object.ts";
import { type ListPage, readPage } from "./list-watch-event.ts";
import type { RestClient, RestRequest } from "./rest.ts";

/** What is listed. */
export interface ListOptions {
  readonly client: RestClient;
  readonly resource: ApiResource;
  /** "" for all namespaces, and for kinds that have none. */
  readonly namespace: string;
  readonly labelSelector?: string;
  /** Only the metadata of the objects is asked for. */
  readonly metadataOnly?: boolean;
  readonly signal: AbortSignal;
}

/** All objects of a list, as they were at that resource version. */
export type ObjectList = Omit<ListPage, "next">;

/** Objects in one page of a list, as client-go. */
const pageSize = 500;

/** All objects of a kind, page by page. Rejects with KubeApiError or MalformedAnswerError. */
export async function listObjects(options: ListOptions): Promise<ObjectList> {
  try {
    return await pages(options, pageSize);
  } catch (error) {
    // The pages of a list that takes long may be forgotten before it ends: then all of it at once.
    if (isForgotten(error)) {
      return pages(options, undefined);
    }
    throw error;
  }
}

/** A request for objects; `form` is the kind of answer where only metadata is asked for. */
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

/** True where the server no longer has what is asked for: 410 of a request, Expired in a watch. */
export function isForgotten(error: unknown): boolean {
  return (
    error instanceof KubeApiError &&
    (error.status.code === 410 || ["Expired", "Gone"].includes(error.status.reason))
  );
}

async function pages(options: ListOptions, limit: number | undefined): Promise<ObjectList> {
  const found: (readonly KubeObject[])[] = [];
  let next = "";
  for (;;) {
    const page = await readOne(options, limit, next);
    found.push(page.objects);
    if (page.next === "") {
      return { objects: found.flat(), resourceVersion: page.resourceVersion };
    }
    next = page.next;
  }
}

async function readOne(options: ListOptions, limit: number | undefined, next: string): Promise<ListPage> {
  const query = {
    ...(limit === undefined ? {} : { limit: String(limit) }),
    ...(next === "" ? {} : { continue: next }),
  };
  const answer = await options.client.json(listRequest(options, query, "PartialObjectMetadataList"));
  return readPage(answer, options.resource);
}
