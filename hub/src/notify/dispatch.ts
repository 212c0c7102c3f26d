/** Compares new events with the rules, and puts what follows into the outbox. */
import type { Clock } from "@weir/base";
import type { Database } from "../store/database.ts";
import { briefEventsById, markDispatched, undispatchedEventIds } from "../store/events.ts";
import {
  activeRules,
  addMessages,
  addToMessage,
  channelsWithBacklog,
  lockDispatch,
  lockGroups,
  type OutboxGroup,
} from "../store/outbox.ts";
import { type GroupState, groupedIfCrowded, placeDeliveries } from "./group.ts";
import { deliveriesFor } from "./rule.ts";
import { type EventUrl, notableEventOf, ruleOf } from "./stored.ts";

/** How many events are compared in one transaction. */
const batch = 500;

/** More messages than people read. */
const longBacklog = 1_000;

/** The longest window is a day, and a message is given up a day after that, in milliseconds. */
const groupMs = 3 * 24 * 60 * 60 * 1000;

/**
 * Dispatches the next events, each exactly once, whatever happens to this console and however many others do the same.
 * Resolves to true if there may be more.
 */
export function dispatchEvents(
  database: Pick<Database, "transaction">,
  eventUrl: EventUrl,
  clock: Pick<Clock, "now">,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    if (!(await lockDispatch(transaction))) {
      return false;
    }
    // Not before: what others dispatched while this had to wait would be due later, although it's older.
    const now = clock.now();
    const ids = await undispatchedEventIds(transaction, batch);
    const last = ids.at(-1);
    if (last === undefined) {
      return false;
    }
    const rules = (await activeRules(transaction)).map(ruleOf);
    const events = rules.length === 0 ? [] : await briefEventsById(transaction, ids);
    const crowded = await channelsWithBacklog(transaction, longBacklog);
    const deliveries = groupedIfCrowded(
      events.flatMap((event) => deliveriesFor(notableEventOf(event, eventUrl), rules)),
      crowded,
    );
    const grouped = deliveries.filter(({ windowMs }) => windowMs > 0).map(({ groupKey }) => groupKey);
    const groups = await lockGroups(transaction, [...new Set(grouped)], new Date(now - groupMs));
    const placements = placeDeliveries(deliveries, (groupKey) => stateOf(groups.get(groupKey), now), now);
    for (const placement of placements) {
      if (placement.kind === "add") {
        await addToMessage(transaction, placement.messageId, placement.eventIds);
      }
    }
    const added = placements.flatMap((placement) => {
      if (placement.kind === "add") {
        return [];
      }
      const { channelId, ruleId, groupKey, eventIds, dueAt } = placement;
      return [{ channelId, ruleId, groupKey, eventIds, dueAt: new Date(dueAt) }];
    });
    await addMessages(transaction, added, now);
    await markDispatched(transaction, last);
    return ids.length === batch;
  });
}

function stateOf(group: OutboxGroup | undefined, now: number): GroupState {
  if (group === undefined) {
    return { open: undefined, lastSentAt: undefined };
  }
  const { openId, openEvents, begun, lastSentAt } = group;
  return {
    open: openId === null ? undefined : { messageId: openId, events: openEvents },
    lastSentAt: begun ? now : lastSentAt?.getTime(),
  };
}
