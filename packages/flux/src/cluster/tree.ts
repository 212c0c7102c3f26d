import type { ResourceId } from "../resource/id.ts";

/** The status of a live object, and the objects that it owns. */
export interface ResourceStatus {
  readonly id: ResourceId;
  readonly apiVersion: string;
  /** The file of its manifest; "" if it isn't in git. */
  readonly source: string;
  /**
   * Compared with its manifest: "Ignored" means left unchanged on purpose, "Obsolete" means no longer in git, and ""
   * means that it never had a manifest, such as the Pods of a Deployment.
   */
  readonly sync: "Synced" | "OutOfSync" | "Ignored" | "Obsolete" | "";
  /** One of the engine's terms, such as "Healthy"; "" if its kind has no health. */
  readonly health: string;
  /** The reason for its status, or "". */
  readonly message: string;
  readonly children: readonly ResourceStatus[];
}
