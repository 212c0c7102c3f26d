/** Decides when deliveries are due, and which of them become one message. */

/** A delivery that hasn't been sent. Times are in milliseconds since the epoch. */
export interface PendingDelivery {
  /** Later deliveries have higher numbers. */
  readonly id: number;
  readonly groupKey: string;
  readonly windowMs: number;
  readonly dueAt: number;
  /** The message that it was made a part of; undefined until somebody first tries to send it. */
  readonly messageId: string | undefined;
}

/** What else is known about the group of a new delivery. */
export interface GroupState {
  /** When the group's other pending deliveries are due; undefined if there are none. */
  readonly pendingDueAt: number | undefined;
  /** When the group's last message was sent; undefined if there was none. */
  readonly lastSentAt: number | undefined;
}

/** A message contains at most this many events; further ones are part of the next message. */
export const maxEventsOfMessage = 1_000;

/**
 * When a new delivery is due: the first one of a quiet group immediately, and those that follow within the window at the
 * end of it, together.
 */
export function dueAt(now: number, windowMs: number, { pendingDueAt, lastSentAt }: GroupState): number {
  if (windowMs === 0) {
    return now;
  }
  return pendingDueAt ?? Math.max(now, (lastSentAt ?? -Infinity) + windowMs);
}

/** When a delivery is due that arrived while a message of its group was being sent. */
export function dueAfterSending({ dueAt, windowMs }: PendingDelivery, sentAt: number): number {
  return windowMs === 0 ? dueAt : Math.max(dueAt, sentAt + windowMs);
}

/**
 * The deliveries of one channel to send next as one message, oldest first; empty if none is due. A message that was begun
 * comes first and keeps its deliveries, so that trying it again sends the same message. Otherwise the delivery that has
 * been due for longest takes the others of its group along.
 */
export function chooseMessage<D extends PendingDelivery>(pending: readonly D[], now: number): readonly D[] {
  const ordered = pending.toSorted((a, b) => a.id - b.id);
  const begun = ordered.find(({ messageId }) => messageId !== undefined)?.messageId;
  if (begun !== undefined) {
    return ordered.filter(({ messageId }) => messageId === begun);
  }
  const [first] = ordered
    .filter((each) => each.dueAt <= now)
    .sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
  if (first === undefined) {
    return [];
  }
  return first.windowMs === 0
    ? [first]
    : ordered.filter(({ groupKey }) => groupKey === first.groupKey).slice(0, maxEventsOfMessage);
}
