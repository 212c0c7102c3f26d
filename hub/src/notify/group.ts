/** Decides which deliveries become one message, and when it's due. */
import type { Delivery } from "./rule.ts";

/** What is known about a group. Times are in milliseconds since the epoch. */
export interface GroupState {
  /** The message that waits and that nobody has tried to send; undefined if there is none. */
  readonly open: { readonly messageId: string; readonly events: number } | undefined;
  /** When its last message was sent, or now if one is being sent; undefined if there was none. */
  readonly lastSentAt: number | undefined;
}

/** What to do with events: add them to a message that waits, or make a new one. */
export type Placement =
  | { readonly kind: "add"; readonly messageId: string; readonly eventIds: readonly number[] }
  | {
      readonly kind: "new";
      readonly channelId: string;
      readonly ruleId: string;
      readonly groupKey: string;
      readonly eventIds: readonly number[];
      /** The first message of a quiet group is due immediately, the next one at the end of its window. */
      readonly dueAt: number;
    };

/** A message has at most this many events; further ones are in the next message. */
export const maxEventsOfMessage = 1_000;

/** The window of rules without one, for channels that can't keep up, in milliseconds. */
const crowdedWindowMs = 60_000;

/** Groups what goes to channels for which too many messages wait already, whatever the rules say. */
export function groupedIfCrowded(
  deliveries: readonly Delivery[],
  crowded: ReadonlySet<string>,
): readonly Delivery[] {
  return deliveries.map((delivery) =>
    crowded.has(delivery.channelId)
      ? { ...delivery, windowMs: Math.max(delivery.windowMs, crowdedWindowMs) }
      : delivery,
  );
}

/** Where to put deliveries, which are in the order of their events. */
export function placeDeliveries(
  deliveries: readonly Delivery[],
  stateOf: (groupKey: string) => GroupState,
  now: number,
): readonly Placement[] {
  const placements: Placement[] = [];
  for (const group of Map.groupBy(deliveries, ({ groupKey }) => groupKey).values()) {
    placements.push(...placeGroup(group, stateOf, now));
  }
  return placements.toSorted((a, b) => (a.eventIds[0] ?? 0) - (b.eventIds[0] ?? 0));
}

function placeGroup(
  group: readonly Delivery[],
  stateOf: (groupKey: string) => GroupState,
  now: number,
): readonly Placement[] {
  const [first] = group;
  if (first === undefined) {
    return [];
  }
  const { channelId, ruleId, groupKey, windowMs } = first;
  const asNew = (eventIds: readonly number[], dueAt: number): Placement => {
    return { kind: "new", channelId, ruleId, groupKey, eventIds, dueAt };
  };
  const eventIds = group.map(({ eventId }) => eventId);
  if (windowMs === 0) {
    return eventIds.map((eventId) => asNew([eventId], now));
  }
  const { open, lastSentAt = -Infinity } = stateOf(groupKey);
  const room = open === undefined ? 0 : Math.max(0, maxEventsOfMessage - open.events);
  const dueAt = Math.max(now, lastSentAt + windowMs);
  const added: readonly Placement[] =
    open === undefined || room === 0
      ? []
      : [{ kind: "add", messageId: open.messageId, eventIds: eventIds.slice(0, room) }];
  return [...added, ...chunksOf(eventIds.slice(room)).map((chunk) => asNew(chunk, dueAt))];
}

function chunksOf(eventIds: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(eventIds.length / maxEventsOfMessage);
  return Array.from({ length: count }, (_, index) =>
    eventIds.slice(index * maxEventsOfMessage, (index + 1) * maxEventsOfMessage),
  );
}
