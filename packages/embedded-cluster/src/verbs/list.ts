import { KubeApiError } from "@weir/kube";
import type { ApiContext } from "../api/api-context.ts";
import type { ListOptions } from "../api/options.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { badRequestError, expiredError, plainError, tooLargeVersionError } from "../status-errors.ts";
import { keyIn, type StoredObject } from "../storage/stored-object.ts";
import { type ContinueToken, parseContinue, printContinue } from "./continue-token.ts";
import type { Scope } from "./select.ts";

/** One page of a list, or all of it. */
export interface Page {
  readonly items: readonly StoredObject[];
  readonly revision: number;
  /** "" on the last page. */
  readonly continueToken: string;
  /** How many are left, where that is known without looking at them. */
  readonly remaining: number | undefined;
}

/** What a list is about. */
export interface Listing {
  readonly resource: ServedResource;
  readonly scope: Scope;
  readonly options: ListOptions;
}

/** Lists what a scope selects, as of the state that is asked for. Throws KubeApiError (400, 410, 504). */
export function listObjects(context: ApiContext, listing: Listing): Page {
  const { options } = listing;
  const token = readToken(options);
  const revision = revisionFor(context, listing, token);
  const all = objectsAt(context, listing, revision);
  const start = token?.start ?? "";
  const rest = start === "" ? all : all.filter((object) => keyOf(object) >= start);
  // As the API server: a list "from whatever is at hand" is not cut into pages.
  const limit = options.resourceVersion === "0" ? 0 : options.limit;
  return cut(rest, listing, { revision, limit });
}

/** The revision that a client names, 0 where it names none, undefined where it names nonsense. */
export function parseRevision(text: string): number | undefined {
  return /^\d*$/.test(text) ? Number(text) : undefined;
}

/** The revision of a read or watch. Throws KubeApiError (500, as the API server). */
export function requireRevision(text: string): number {
  const revision = parseRevision(text);
  if (revision === undefined) {
    throw plainError(revisionFault(text));
  }
  return revision;
}

function revisionFault(text: string): string {
  const quoted = JSON.stringify(text);
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
}

function cut(
  rest: readonly StoredObject[],
  { scope, options }: Listing,
  { revision, limit }: { readonly revision: number; readonly limit: number },
): Page {
  const items: StoredObject[] = [];
  for (const [index, object] of rest.entries()) {
    if (scope.selects(object)) {
      items.push(object);
    }
    const left = rest.length - index - 1;
    if (limit > 0 && items.length === limit && left > 0) {
      const start = `${keyOf(object)}\u0000`;
      return {
        items,
        revision,
        continueToken: printContinue({ revision, start }),
        remaining: options.hasSelector ? undefined : left,
      };
    }
  }
  return { items, revision, continueToken: "", remaining: undefined };
}

function objectsAt(
  { store }: ApiContext,
  { resource, scope }: Listing,
  revision: number,
): readonly StoredObject[] {
  const bucket = store.bucket(resource.bucket);
  if (revision < store.revision) {
    return bucket.listAt(scope.namespace, revision);
  }
  const isOne = scope.name !== undefined && (scope.namespace !== "" || !resource.namespaced);
  if (isOne) {
    const found = bucket.get(scope.namespace, scope.name);
    return found === undefined ? [] : [found];
  }
  return bucket.list(scope.namespace);
}

function readToken({ continueToken, resourceVersion }: ListOptions): ContinueToken | undefined {
  if (continueToken === "") {
    return undefined;
  }
  if (resourceVersion !== "" && resourceVersion !== "0") {
    throw badRequestError("specifying resource version is not allowed when using continue");
  }
  const token = parseContinue(continueToken);
  if ("fault" in token) {
    throw badRequestError(`invalid continue token: continue key is not valid: ${token.fault}`);
  }
  return token;
}

/** The state to list: that of the token, or exactly the one asked for, else the latest. */
function revisionFor(
  { store }: ApiContext,
  { resource, options }: Listing,
  token: ContinueToken | undefined,
): number {
  const oldest = store.bucket(resource.bucket).oldest;
  if (token !== undefined) {
    if (token.revision > 0 && token.revision < oldest) {
      throw outdatedToken(token);
    }
    return token.revision > 0 ? token.revision : store.revision;
  }
  const asked = parseRevision(options.resourceVersion);
  if (asked === undefined) {
    throw badRequestError(`invalid resource version: ${revisionFault(options.resourceVersion)}`);
  }
  if (asked > store.revision) {
    throw tooLargeVersionError(asked, store.revision);
  }
  const isExact =
    asked > 0 &&
    (options.resourceVersionMatch === "Exact" || (options.resourceVersionMatch === "" && options.limit > 0));
  if (isExact && asked < oldest) {
    throw expiredError("The resourceVersion for the provided list is too old.");
  }
  return isExact ? asked : store.revision;
}

const outdatedMessage =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list " +
  "without the continue parameter, or use the continue token in this response to retrieve the remainder of the " +
  "results. Continuing with the provided token results in an inconsistent list - objects that were created, " +
  "modified, or deleted between the time the first chunk was returned and now may show up in the list.";

/** The refusal carries a token by which the client can go on with the objects as they are now. */
function outdatedToken({ start }: ContinueToken): KubeApiError {
  const continueToken = printContinue({ revision: -1, start });
  return new ExpiredTokenError(continueToken);
}

/** 410 of a continue token whose state is no longer kept. */
export class ExpiredTokenError extends KubeApiError {
  readonly continueToken: string;

  constructor(continueToken: string) {
    super({ code: 410, reason: "Expired", message: outdatedMessage });
    this.continueToken = continueToken;
  }
}

function keyOf({ namespace, name }: StoredObject): string {
  return keyIn(namespace, name);
}
