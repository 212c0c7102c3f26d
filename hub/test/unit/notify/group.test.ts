import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type GroupState, maxEventsOfMessage, placeDeliveries } from "../../../src/notify/group.ts";
import type { Delivery } from "../../../src/notify/rule.ts";

const quiet: GroupState = { open: undefined, lastSentAt: undefined };

function delivery(eventId: number, groupKey = "g", windowMs = 60_000): Delivery {
  return { eventId, channelId: "c", ruleId: "r", groupKey, windowMs };
}

describe("a delivery", () => {
  it("of a quiet group is due immediately", () => {
    assert.deepEqual(
      placeDeliveries([delivery(1)], () => quiet, 1_000),
      [{ kind: "new", channelId: "c", ruleId: "r", groupKey: "g", eventIds: [1], dueAt: 1_000 }],
    );
  });

  it("after a message of its group waits for the end of the window", () => {
    const [placement] = placeDeliveries([delivery(1)], () => ({ open: undefined, lastSentAt: 0 }), 1_000);

    assert.equal(placement?.kind === "new" && placement.dueAt, 60_000);
  });

  it("joins the message that waits", () => {
    const state = { open: { messageId: "m", events: 3 }, lastSentAt: 0 };

    assert.deepEqual(
      placeDeliveries([delivery(1), delivery(2)], () => state, 1_000),
      [{ kind: "add", messageId: "m", eventIds: [1, 2] }],
    );
  });

  it("doesn't join a message that is full", () => {
    const state = { open: { messageId: "m", events: maxEventsOfMessage - 1 }, lastSentAt: 0 };

    assert.deepEqual(
      placeDeliveries([delivery(1), delivery(2)], () => state, 1_000).map(({ kind, eventIds }) => [
        kind,
        eventIds,
      ]),
      [
        ["add", [1]],
        ["new", [2]],
      ],
    );
  });

  it("without a window is a message of its own", () => {
    const state = { open: { messageId: "m", events: 1 }, lastSentAt: 0 };

    assert.deepEqual(
      placeDeliveries([delivery(1, "g", 0), delivery(2, "g", 0)], () => state, 1_000).map(
        ({ kind, eventIds }) => [kind, eventIds],
      ),
      [
        ["new", [1]],
        ["new", [2]],
      ],
    );
  });
});

/** A message of the model outbox below. */
interface Message {
  readonly id: string;
  readonly groupKey: string;
  readonly eventIds: number[];
  readonly dueAt: number;
  sentAt?: number;
}

/** Dispatches and sends at each time, and returns what was sent. */
function simulate(
  steps: readonly (readonly [time: number, groups: readonly string[]])[],
  windowMs: number,
): Message[] {
  const messages: Message[] = [];
  const sendUntil = (now: number): void => {
    for (const message of messages.filter(({ sentAt, dueAt }) => sentAt === undefined && dueAt <= now)) {
      message.sentAt = message.dueAt;
    }
  };
  let eventId = 0;
  for (const [now, groups] of steps) {
    sendUntil(now);
    const stateOf = (groupKey: string): GroupState => {
      const open = messages.find((each) => each.groupKey === groupKey && each.sentAt === undefined);
      const sent = messages
        .filter((each) => each.groupKey === groupKey)
        .map(({ sentAt = -Infinity }) => sentAt);
      return {
        open: open && { messageId: open.id, events: open.eventIds.length },
        lastSentAt: sent.length === 0 ? undefined : Math.max(...sent),
      };
    };
    for (const placement of placeDeliveries(
      groups.map((group) => delivery(eventId++, group, windowMs)),
      stateOf,
      now,
    )) {
      if (placement.kind === "add") {
        messages.find(({ id }) => id === placement.messageId)?.eventIds.push(...placement.eventIds);
      } else {
        const { groupKey, eventIds, dueAt } = placement;
        messages.push({ id: `m${messages.length}`, groupKey, eventIds: [...eventIds], dueAt });
      }
    }
  }
  sendUntil(Infinity);
  return messages;
}

describe("grouping, whenever events come", () => {
  const group = fc.constantFrom("a", "b", "c");
  const steps = fc
    .array(fc.tuple(fc.nat(50), fc.array(group, { maxLength: 5 })), { maxLength: 30 })
    .map((gaps) => {
      let time = 0;
      return gaps.map(([gap, groups]) => [(time += gap), groups] as const);
    });

  it("puts each event into exactly one message of its group, in order", () => {
    fc.assert(
      fc.property(steps, fc.nat(100), (steps, windowMs) => {
        const groups = steps.flatMap(([, each]) => each);
        const messages = simulate(steps, windowMs);

        for (const name of ["a", "b", "c"]) {
          const expected = groups.flatMap((each, id) => (each === name ? [id] : []));
          const sent = messages
            .filter(({ groupKey }) => groupKey === name)
            .sort((one, other) => (one.sentAt ?? 0) - (other.sentAt ?? 0))
            .flatMap(({ eventIds }) => eventIds);
          assert.deepEqual(sent, expected);
        }
      }),
    );
  });

  it("sends the messages of a group at least a window apart, and no event later than a window", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 100 }), (steps, windowMs) => {
        const times = steps.flatMap(([time, groups]) => groups.map(() => time));
        const messages = simulate(steps, windowMs);

        for (const { eventIds, sentAt = 0 } of messages) {
          assert.ok(eventIds.every((id) => sentAt - (times[id] ?? 0) <= windowMs));
        }
        for (const all of Map.groupBy(messages, ({ groupKey }) => groupKey).values()) {
          const sent = all.map(({ sentAt = 0 }) => sentAt).toSorted((a, b) => a - b);
          assert.ok(sent.every((time, index) => index === 0 || time - (sent[index - 1] ?? 0) >= windowMs));
        }
      }),
    );
  });
});
