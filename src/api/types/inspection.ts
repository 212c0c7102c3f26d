import type { Finding, JsonValue } from "@weir/base";
import type { ResourcePreview } from "../../cluster/preview.ts";
import type { ResourceStatus } from "../../cluster/tree.ts";
import type { FluxEvent } from "../../event/event.ts";
import type { ResourceId } from "../../resource/id.ts";

/** Something that the daemon did, or failed to do, as it remembers it. */
export interface LoggedEvent {
  /** Grows from event to event, also over a restart of the daemon. */
  readonly id: number;
  /** A type of Flux v1's events, or "failure". */
  readonly type: string;
  readonly workloads: readonly ResourceId[];
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly logLevel: FluxEvent["logLevel"];
  /** In one line. */
  readonly message: string;
  /** The payload, as upstreams get it; null for failures. */
  readonly metadata: JsonValue;
}

/** Which events are asked for. */
export interface EventsQuery {
  /** Only those that came after this one; 0 for all that are remembered. */
  readonly after: number;
  /** Where there are none: how long to wait for one, in milliseconds. */
  readonly waitMs: number;
}

/** What is compared with the cluster. */
export interface DiffQuery {
  /** A commit, branch or tag; "" for the head of the branch that is synced. */
  readonly ref: string;
}

/** What a sync would change. */
export interface DiffReport {
  readonly revision: string;
  /** In the order of a sync; what is as it should be is left out. */
  readonly changes: readonly ResourcePreview[];
}

/** Which part of the tree is asked for. */
export interface TreeQuery {
  /** "" for all. */
  readonly namespace: string;
}

/** How everything is that git holds. */
export interface TreeReport {
  readonly revision: string;
  /** By ID. */
  readonly resources: readonly ResourceStatus[];
}

/**
 * What a daemon can be asked beyond Flux v1's API, so that people can see what it does. Each method may throw a
 * FluxError.
 */
export interface Inspection {
  /** Oldest first; those of long ago are forgotten. */
  events(query: EventsQuery, signal: AbortSignal): Promise<readonly LoggedEvent[]>;
  /** What a sync would change; nothing is done. */
  diff(query: DiffQuery, signal: AbortSignal): Promise<DiffReport>;
  /** How everything is, and what it owns. */
  tree(query: TreeQuery, signal: AbortSignal): Promise<TreeReport>;
  /** What is there of all that a daemon needs, and what it may do with it; looked at now, where that is possible. */
  check(signal: AbortSignal): Promise<readonly Finding[]>;
}
