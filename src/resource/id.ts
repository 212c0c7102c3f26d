/**
 * Names a resource as Flux does: "namespace:kind/name", kind in lower case, "<cluster>" for the namespace
 * of what has none. API group and version are not part of it. After Flux's pkg/resource/id.go.
 */
export type ResourceId = string & { readonly __resourceId: unique symbol };

/** The namespace word of cluster-scoped resources. */
export const clusterScope = "<cluster>";

/** A text is no resource ID. */
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

/** Makes an ID of its parts; an empty namespace stays empty, as in Flux. */
export function makeResourceId(namespace: string, kind: string, name: string): ResourceId {
  return `${namespace}:${kind.toLowerCase()}/${name}` as ResourceId;
}

/** Parses "namespace:kind/name" or the legacy "namespace/service"; throws InvalidResourceIdError. */
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

/** Parses likewise; undefined for a text that is no resource ID. */
export function readResourceId(input: string): ResourceId | undefined {
  return fullPattern.test(input) || legacyPattern.test(input) ? parseResourceId(input) : undefined;
}

/**
 * An ID as fluxd tells it of what stands in git. Its name may be one that no API server takes: that is what one may
 * want to be told of.
 */
export function toldResourceId(input: string): ResourceId {
  return input as ResourceId;
}

/**
 * Parses as a command line does: "namespace:kind/name", or "kind/name" completed with `namespace`; never
 * the legacy form. Throws InvalidResourceIdError.
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
 * The parts of an ID; a legacy one has kind "service". An ID made of odd parts may be taken apart otherwise than it
 * was put together, but never so that its namespace reads as one without ":" and "/" that it was not made of: no
 * kind holds either, so the last "/" and the last ":" before it stand where they stood.
 */
export function partsOfResourceId(id: ResourceId): ResourceIdParts {
  const slash = id.lastIndexOf("/");
  const colon = id.lastIndexOf(":", slash);
  if (colon < 0) {
    return { namespace: id.slice(0, slash), kind: "service", name: id.slice(slash + 1) };
  }
  return { namespace: id.slice(0, colon), kind: id.slice(colon + 1, slash), name: id.slice(slash + 1) };
}
