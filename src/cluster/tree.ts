import type { ResourceId } from "../resource/id.ts";

/** How a live object is, and what it owns. */
export interface ResourceStatus {
  readonly id: ResourceId;
  readonly apiVersion: string;
  /** The file of its manifest; "" for what git does not have. */
  readonly source: string;
  /**
   * How it stands to its manifest; "Ignored": left alone on purpose, "Obsolete": git no longer has it, "": it never
   * had a manifest, e.g. the Pods of a Deployment.
   */
  readonly sync: "Synced" | "OutOfSync" | "Ignored" | "Obsolete" | "";
  /** One of the engine's words, e.g. "Healthy"; "" where its kind has no health. */
  readonly health: string;
  /** Why it is so, or "". */
  readonly message: string;
  readonly children: readonly ResourceStatus[];
}
