import type { JsonObject } from "@weir/base";
import type { ResourceId } from "../resource/id.ts";

/** What a sync would do with one resource, in a form that can be shown: the values of Secrets are hidden. */
export interface ResourcePreview {
  readonly id: ResourceId;
  readonly apiVersion: string;
  /** The file of its manifest; "" if it isn't in git. */
  readonly source: string;
  /** "run" means a hook, and "leave" means no change, because of `reason` or `error`. */
  readonly action: "create" | "change" | "delete" | "run" | "leave";
  /** The live object; null if there's none. */
  readonly before: JsonObject | null;
  /** The live object afterwards, or the requested one if the API server refuses it; null if it would be deleted. */
  readonly after: JsonObject | null;
  /** Why the API server refuses it; "" if it doesn't. */
  readonly error: string;
  /** Why it would be left unchanged; "" if it wouldn't be. */
  readonly reason: string;
}
