import type { Clock } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import type { RestClient, SchemaSource } from "@weir/kube/rest";
import type { ResourceCache } from "../cache/resource-cache.ts";
import type { IgnoredFields } from "../ignore/ignored-fields.ts";
import type { GuardName } from "../plan/guards.ts";
import type { ServerSideSettings } from "./server-side-settings.ts";

/** The dependencies of operations. */
export interface OperationContext {
  readonly client: RestClient;
  /** Receives the response to each write, so that a plan made right after it isn't stale. */
  readonly cache: Pick<ResourceCache, "observe" | "observeDeleted">;
  readonly schemas: SchemaSource;
  readonly clock: Clock;
  /** The fields that others may set; absent: none. */
  readonly ignored?: IgnoredFields;
  /** How to apply objects server-side; absent: as kubectl does. */
  readonly serverSide?: ServerSideSettings;
}

/** What an operation did to the object, in kubectl's terms. */
export type Change = "created" | "configured" | "unchanged" | "deleted" | "none";

/** The result of an operation that wasn't refused. */
export interface Deed {
  readonly change: Change;
  /** The object afterwards; undefined if it was deleted or isn't known. */
  readonly live?: KubeObject;
  /** Why nothing was done, if nothing was. */
  readonly reason?: string;
  /** The guard that left the object alone, if one did. */
  readonly guard?: GuardName;
}
