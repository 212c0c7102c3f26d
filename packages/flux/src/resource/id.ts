/**
 * A resource ID in Flux's format: "namespace:kind/name", with the kind in lower case, and "<cluster>" as the namespace
 * of cluster-scoped resources. It doesn't contain the API group and version. Based on Flux's pkg/resource/id.go.
 */
export type ResourceId = string & { readonly __resourceId: unique symbol };

/** The namespace of cluster-scoped resources in IDs. */
export const clusterScope = "<cluster>";

/** A text isn't a valid resource ID. */
export class InvalidResourceIdError extends Error {
  override readonly name = "InvalidResourceIdError";
  readonly input: string;

  constructor(input: string) {
    super(`parsing ${input}: invalid service ID`);
    this.input = input;
  }
}

/** The parts of an ID; `kind` is in lower case. */
export interface ResourceIdParts {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

const fullPattern = /^(<cluster>|[a-zA-Z0-9_-]+):([a-zA-Z0-9_-]+)\/([a-zA-Z0-9_.:-]+)$/;
const legacyPattern = /^([a-zA-Z0-9_-]+)\/([a-zA-Z0-9_-]+)$/;
const unqualifiedPattern = /^([a-zA-Z0-9_-]+)\/([a-zA-Z0-9_.:-]+)$/;

/** Creates an ID from its parts; an empty namespace stays empty, as in Flux. */
export function makeResourceId(namespace: string, kind: string, name: string): ResourceId {
  return `${namespace}:${kind.toLowerCase()}/${name}` as ResourceId;
}

/** Parses "namespace:kind/name" or the legacy form "namespace/service". Throws InvalidResourceIdError. */
export function parseResourceId(input: string): ResourceId {
  const full = fullPattern.exec(input);
  if (full) {
    return makeResourceId(full[1] ?? "", full[2] ?? "", full[3] ?? "");
  }
  if (legacyPattern.test(input)) {
    return input as ResourceId;
  }
  throw new InvalidResourceIdError(input);
}

/** Parses like `parseResourceId`, but returns undefined for an invalid ID. */
export function readResourceId(input: string): ResourceId | undefined {
  return fullPattern.test(input) || legacyPattern.test(input) ? parseResourceId(input) : undefined;
}

/**
 * An ID that fluxd sent for a resource in git. Its name may be one that no API server accepts, since that may be
 * exactly what somebody needs to know.
 */
export function toldResourceId(input: string): ResourceId {
  return input as ResourceId;
}

/**
 * Parses an ID from a command line: "namespace:kind/name", or "kind/name" with the default `namespace`; never the
 * legacy form. Throws InvalidResourceIdError.
 */
export function parseResourceIdIn(namespace: string, input: string): ResourceId {
  if (fullPattern.test(input)) {
    return parseResourceId(input);
  }
  const unqualified = unqualifiedPattern.exec(input);
  if (unqualified) {
    return makeResourceId(namespace, unqualified[1] ?? "", unqualified[2] ?? "");
  }
  throw new InvalidResourceIdError(input);
}

/**
 * The parts of an ID; the kind of a legacy one is "service". An ID with unusual parts may be split differently from how
 * it was created. But if the resulting namespace contains no ":" or "/", it's the original one: no kind contains either
 * character, so the last "/" and the last ":" before it are where they were put.
 */
export function partsOfResourceId(id: ResourceId): ResourceIdParts {
  const slash = id.lastIndexOf("/");
  const colon = id.lastIndexOf(":", slash);
  if (colon < 0) {
    return { namespace: id.slice(0, slash), kind: "service", name: id.slice(slash + 1) };
  }
  return { namespace: id.slice(0, colon), kind: id.slice(colon + 1, slash), name: id.slice(slash + 1) };
}
