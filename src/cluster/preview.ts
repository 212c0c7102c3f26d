import type { JsonObject } from "@weir/base";
import type { ResourceId } from "../resource/id.ts";

/** What a sync would do with one resource, fit to be shown: what Secrets hold is hidden. */
export interface ResourcePreview {
  readonly id: ResourceId;
  readonly apiVersion: string;
  /** The file of its manifest; "" for what git does not have. */
  readonly source: string;
  /** "run": a hook. "leave": nothing, because of `reason` or `error`. */
  readonly action: "create" | "change" | "delete" | "run" | "leave";
  /** The live object, null where there is none. */
  readonly before: JsonObject | null;
  /** What would live afterwards, or what was asked for where that is refused; null where it would be gone. */
  readonly after: JsonObject | null;
  /** Why the API server refuses it, or "". */
  readonly error: string;
  /** Why it would be left alone, or "". */
  readonly reason: string;
}
