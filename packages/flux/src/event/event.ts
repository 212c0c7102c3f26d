import type { ResourceError } from "../cluster/sync-set.ts";
import type { ResourceId } from "../resource/id.ts";
import type { UpdateResult } from "../update/result.ts";
import type { UpdateSpec } from "../update/spec.ts";

/** A commit in an event: the full revision and the first line of its message. */
export interface EventCommit {
  readonly revision: string;
  readonly message: string;
}

/** What a sync contained besides plain commits. */
export type SyncIncludes = Readonly<
  Partial<Record<"release" | "autorelease" | "update_policy" | "other", boolean>>
>;

/** The payload of an event, by its type. */
export type EventDetail =
  | {
      readonly type: "commit";
      readonly revision: string;
      readonly spec: UpdateSpec | null;
      readonly result: UpdateResult | null;
    }
  | {
      readonly type: "sync";
      /** Newest first. */
      readonly commits: readonly EventCommit[];
      readonly includes: SyncIncludes;
      readonly errors: readonly ResourceError[];
      readonly initialSync: boolean;
    }
  | {
      readonly type: "release";
      readonly revision: string;
      readonly spec: Extract<UpdateSpec, { type: "image" | "containers" }>;
      readonly result: UpdateResult;
      readonly error?: string;
    }
  | {
      readonly type: "autorelease";
      readonly revision: string;
      readonly spec: Extract<UpdateSpec, { type: "auto" }>;
      readonly result: UpdateResult;
      readonly error?: string;
    };

/** Something that happened and that people and upstreams should know. Based on Flux's pkg/event. */
export interface FluxEvent {
  readonly workloads: readonly ResourceId[];
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  readonly detail: EventDetail;
}
