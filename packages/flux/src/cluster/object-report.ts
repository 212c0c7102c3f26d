import type { JsonObject } from "@weir/base";
import type { ResourceStatus } from "./tree.ts";

/** Who last wrote a field, and how, as the API server recorded it. */
export interface FieldWriter {
  readonly manager: string;
  /** "Apply" or "Update". */
  readonly operation: string;
  /** "" for the object itself, or for example "scale". */
  readonly subresource: string;
  /** In ISO 8601; "" if it isn't known. */
  readonly time: string;
}

/** A field that a sync would change. */
export interface FieldDifference {
  /** For people, such as "spec.template.spec.containers[name=app].image". */
  readonly path: string;
  /** The value after the sync as JSON; "" if the field wouldn't exist, or if the value must not be shown. */
  readonly git: string;
  /** The live value as JSON, or "". */
  readonly live: string;
  readonly isHidden: boolean;
  /** Who last wrote the live field; undefined if the live object doesn't have it, or if nobody is recorded. */
  readonly writer?: FieldWriter;
}

/** Why an object is left as it is. */
export interface LeftAsItIs {
  /**
   * "ignored" by its file, "ignored-live" by an annotation of the live object, "excluded" by the allowed namespaces,
   * "broken" if the manifest isn't an object, or the engine's name of the guard, such as "foreign" or "prune-limit".
   */
  readonly guard: string;
  readonly reason: string;
}

/** Everything that the cluster knows of one object, compared with its manifest. */
export interface ObjectReport {
  /** False if the API server doesn't serve its kind, or not in the version of the manifest. */
  readonly isServed: boolean;
  /** False if there's no live object. */
  readonly exists: boolean;
  /** Of the manifest, or of the live object; "" if neither is known. */
  readonly apiVersion: string;
  /** As in the tree; "" if it isn't in git, and never was. */
  readonly sync: ResourceStatus["sync"];
  /** What a sync would do now. */
  readonly action: "create" | "change" | "delete" | "run" | "none";
  /** "PreSync" and so on for hooks; "Sync", or "" if a sync has nothing to do with the object. */
  readonly phase: string;
  readonly wave: number;
  /** Why the API server refuses what a sync would do; "" if it doesn't. */
  readonly refusal: string;
  /** The error from when it was last applied, or "". */
  readonly syncError: string;
  /** Undefined if it isn't left as it is. */
  readonly left?: LeftAsItIs;
  /** One of the engine's terms; "" if its kind has no health. */
  readonly health: string;
  readonly healthMessage: string;
  /** What owns it, such as "ReplicaSet web-1"; "" for nothing. */
  readonly owner: string;
  readonly differences: readonly FieldDifference[];
  /** Everybody who wrote fields of it, the latest first. */
  readonly writers: readonly FieldWriter[];
  /** The live object; undefined if there's none, or if its values must not be shown. */
  readonly live?: JsonObject;
  /** Why the live object couldn't be read; "" if it could. */
  readonly problem: string;
}
