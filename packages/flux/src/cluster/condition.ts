import type { ResourceId } from "../resource/id.ts";
import type { ResourceStatus } from "./tree.ts";

/** How a resource is, with the objects that it owns. */
export interface Condition {
  readonly id: ResourceId;
  /** "degraded" needs somebody; "pending" may become "healthy" by itself. */
  readonly is: "healthy" | "degraded" | "pending";
  /** Why it isn't healthy; "" if it is. */
  readonly message: string;
  /** The object with the problem; the resource itself, or one that it owns. */
  readonly culprit: ResourceId;
}

/**
 * Judges a resource by its own health, its health's progress by the objects that it owns, and its difference from git.
 * What has no health, is ignored, or was suspended on purpose counts as healthy.
 */
export function conditionOf(status: ResourceStatus): Condition {
  const { id, health, sync } = status;
  const isWell = health === "" || health === "Healthy" || health === "Suspended";
  const degraded = isWell ? undefined : firstDegraded(status);
  if (degraded !== undefined) {
    return { id, is: "degraded", message: degraded.message || "degraded", culprit: degraded.id };
  }
  if (!isWell && sync !== "Ignored") {
    return { id, is: "pending", message: status.message || health.toLowerCase(), culprit: id };
  }
  if (sync === "OutOfSync" || sync === "Obsolete") {
    const message = status.message || (sync === "OutOfSync" ? "differs from git" : "no longer in git");
    return { id, is: "pending", message, culprit: id };
  }
  return { id, is: "healthy", message: "", culprit: id };
}

function firstDegraded(status: ResourceStatus): ResourceStatus | undefined {
  return status.health === "Degraded"
    ? status
    : status.children.map(firstDegraded).find((each) => each !== undefined);
}
