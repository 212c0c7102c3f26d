import type { Tree } from "../../tree.ts";

/** The names that a field has in events.k8s.io/v1 and in the core group. */
const renamed = [
  ["regarding", "involvedObject"],
  ["note", "message"],
  ["reportingController", "reportingComponent"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
] as const;

/** An event of the core group that says what one of events.k8s.io/v1 says. */
export function coreEventFrom(event: Tree): Tree {
  const core = rename(
    event,
    renamed.map(([to, from]) => [to, from]),
  );
  // In the core group these two are always written.
  core["reportingComponent"] ??= "";
  core["reportingInstance"] ??= "";
  return { ...core, apiVersion: "v1" };
}

/** An event of events.k8s.io/v1 that says what one of the core group says. */
export function eventFromCore(core: Tree): Tree {
  const event = rename(
    core,
    renamed.map(([to, from]) => [from, to]),
  );
  for (const field of ["reportingController", "reportingInstance"]) {
    if (event[field] === "") {
      Reflect.deleteProperty(event, field);
    }
  }
  return { ...event, apiVersion: "events.k8s.io/v1" };
}

function rename(object: Tree, names: readonly (readonly [string, string])[]): Tree {
  const map = new Map(names);
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [map.get(key) ?? key, value]));
}
