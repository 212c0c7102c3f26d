import type { JsonValue } from "../../base/json.ts";
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

/**
 * What a daemon can be asked beyond Flux v1's API, so that people can see what it does. Each method may throw a
 * FluxError.
 */
export interface Inspection {
  /** Oldest first; those of long ago are forgotten. */
  events(query: EventsQuery, signal: AbortSignal): Promise<readonly LoggedEvent[]>;
}
