/** What somebody is shown of an event that isn't only about what they may see. Decides only. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { Scope } from "./scope.ts";

/** What somebody may see of an instance: everything, or what's in some namespaces. */
export type Sight = "everything" | ((namespace: string) => boolean);

/** An event, in whatever form it's shown. */
interface ShownEvent {
  readonly type: string;
  readonly revision: string;
  /** None if it's about the instance as a whole. */
  readonly namespaces: readonly string[];
  /** The IDs of resources. */
  readonly workloads: readonly string[];
  readonly message: string;
  readonly metadata?: JsonValue;
}

/** What a scope lets somebody see of an instance. */
export function sightOf(scope: Scope, instanceId: string): Sight {
  if (scope === "everything") {
    return scope;
  }
  const grants = scope.filter((grant) => grant.instanceId === null || grant.instanceId === instanceId);
  if (grants.some(({ namespace }) => namespace === null)) {
    return "everything";
  }
  const names = new Set(grants.map(({ namespace }) => namespace));
  return (namespace) => names.has(namespace);
}

/** The IDs of resources that are in sight. */
export function resourcesInSight(ids: readonly string[], sight: Sight): string[] {
  return ids.filter((id) => sight === "everything" || sight(namespaceIn(id)));
}

/**
 * The part of an event that's in sight; undefined if nothing of it is. What is said of an instance as a whole is only for
 * those who see all of it. Of what spans namespaces, nothing is left that could name others, such as the message.
 */
export function partOfEvent<T extends ShownEvent>(event: T, sight: Sight): T | undefined {
  if (sight === "everything") {
    return event;
  }
  const namespaces = event.namespaces.filter(sight);
  if (namespaces.length === 0) {
    return undefined;
  }
  const isPart = namespaces.length < event.namespaces.length;
  const workloads = resourcesInSight(event.workloads, sight);
  return {
    ...event,
    ...{ namespaces, workloads },
    ...(isPart ? { message: messageOfPart(event, workloads) } : {}),
    ...(event.metadata === undefined ? {} : { metadata: partOfMetadata(event.metadata, sight, isPart) }),
  };
}

const mostNamed = 20;

function messageOfPart({ type, revision }: ShownEvent, workloads: readonly string[]): string {
  const names = workloads.slice(0, mostNamed);
  const what = [...(revision === "" ? [] : [revision.slice(0, 7)]), ...names, "and what you may not see"];
  return `${type.charAt(0).toUpperCase()}${type.slice(1)}: ${what.join(", ")}`;
}

/**
 * A sync's errors can be about others than what it changed, so they are looked at in any case. What isn't known to be
 * harmless is left out of a part.
 */
function partOfMetadata(
  metadata: JsonValue,
  sight: (namespace: string) => boolean,
  isPart: boolean,
): JsonValue {
  if (!isJsonObject(metadata)) {
    return isPart ? null : metadata;
  }
  const { errors, result, revision, commits, includes, initialSync, ...others } = metadata;
  return defined({
    ...(isPart ? {} : others),
    ...{ revision, includes, initialSync },
    commits: isPart ? withoutMessages(commits) : commits,
    errors: isJsonArray(errors) ? errors.filter((error) => sight(namespaceOfError(error))) : undefined,
    result: isJsonObject(result)
      ? Object.fromEntries(Object.entries(result).filter(([id]) => sight(namespaceIn(id))))
      : undefined,
  });
}

function withoutMessages(commits: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(commits)
    ? commits.filter(isJsonObject).map(({ revision = "" }) => ({ revision, message: "" }))
    : undefined;
}

function namespaceOfError(error: JsonValue): string {
  const id = isJsonObject(error) ? error["ID"] : undefined;
  return typeof id === "string" ? namespaceIn(id) : "";
}

/** Of an ID such as `shop:deployment/cart`; "" if it has none. */
function namespaceIn(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf(":")));
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
