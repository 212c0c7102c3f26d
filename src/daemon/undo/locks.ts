import {
  type Cause,
  hasPolicy,
  type LoggedCommit,
  type PolicyUpdate,
  type PolicyUpdates,
  printImageRef,
  type Resource,
  type ResourceId,
} from "@weir/flux";
import type { ResourceSet } from "../ports.ts";

/** The resources of the files that are changed, before and after that. */
export interface UndoneSets {
  readonly now: ResourceSet;
  readonly undone: ResourceSet;
}

/**
 * The workloads for which automation would make the undone change again: automated ones that get other images. One that
 * loses its lock stays without: that was part of the undone change.
 */
export function workloadsToLock(
  ids: readonly ResourceId[],
  { now, undone }: UndoneSets,
): readonly ResourceId[] {
  return ids.filter((id) => {
    const [before, after] = [now.get(id), undone.get(id)];
    return (
      before !== undefined &&
      after !== undefined &&
      imagesOf(before) !== imagesOf(after) &&
      hasPolicy(after.policies, "automated") &&
      !hasPolicy(after.policies, "locked") &&
      !hasPolicy(before.policies, "locked")
    );
  });
}

/** The locks for these workloads, which say which commit was undone. */
export function locksFor(
  ids: readonly ResourceId[],
  { revision, message }: Pick<LoggedCommit, "revision" | "message">,
  { user }: Cause,
): PolicyUpdates {
  const lock: PolicyUpdate = {
    add: {
      locked: "true",
      locked_msg: `undid ${revision.slice(0, 7)}: ${message}`,
      ...(user === "" ? {} : { locked_user: user }),
    },
    remove: null,
  };
  return new Map(ids.map((id) => [id, lock]));
}

/** The images of all containers, as a text to compare. */
export function imagesOf({ containers = [] }: Resource): string {
  return JSON.stringify(containers.map(({ name, image }) => [name, printImageRef(image)]));
}
