import type { Clock } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import type { RestClient, SchemaSource } from "@weir/kube/rest";
import type { ResourceCache } from "../cache/resource-cache.ts";

/** What operations work with. */
export interface OperationContext {
  readonly client: RestClient;
  /** Told of every answer to a write, so that a plan made right after it is not stale. */
  readonly cache: Pick<ResourceCache, "observe" | "observeDeleted">;
  readonly schemas: SchemaSource;
  readonly clock: Clock;
}

/** What an operation did to the object, in kubectl's words. */
export type Change = "created" | "configured" | "unchanged" | "deleted" | "none";

/** How an operation ended that was not refused. */
export interface Deed {
  readonly change: Change;
  /** The object as it is afterwards; undefined where it is gone, or not known. */
  readonly live?: KubeObject;
  /** Why nothing was done, where nothing was. */
  readonly reason?: string;
}
