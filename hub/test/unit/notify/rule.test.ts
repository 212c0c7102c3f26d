import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { deliveriesFor, type Rule, ruleMatches } from "../../../src/notify/rule.ts";
import { anyEvent, notableEvent } from "../../support/notable-events.ts";

function rule(changes: Partial<Rule> = {}): Rule {
  return {
    id: "r1",
    enabled: true,
    channelId: "c1",
    instances: [],
    namespaces: [],
    types: [],
    severities: [],
    template: {},
    groupBy: [],
    windowMs: 0,
    ...changes,
  };
}

describe("a rule", () => {
  const cases: readonly (readonly [string, Partial<Rule>, boolean])[] = [
    ["wants everything without conditions", {}, true],
    ["wants nothing if it's disabled", { enabled: false }, false],
    ["wants instances by pattern", { instances: ["staging", "prod-*"] }, true],
    ["wants instances by their IDs", { instances: ["i9", notableEvent().instance.id] }, true],
    ["leaves out other instances", { instances: ["prod"] }, false],
    ["wants events of one of its namespaces", { namespaces: ["team-*", "shop"] }, true],
    ["leaves out other namespaces", { namespaces: ["team-*"] }, false],
    ["wants types", { types: ["sync", "release"] }, true],
    ["leaves out other types", { types: ["release"] }, false],
    ["wants severities", { severities: ["warning", "error"] }, true],
    ["leaves out other severities", { severities: ["info"] }, false],
    ["needs all its conditions", { instances: ["prod-*"], types: ["drift"] }, false],
  ];
  for (const [title, changes, expected] of cases) {
    it(title, () => {
      assert.equal(ruleMatches(rule(changes), notableEvent()), expected);
    });
  }

  it("for namespaces doesn't match an event about the whole instance", () => {
    assert.equal(ruleMatches(rule({ namespaces: ["*"] }), notableEvent({ namespaces: [] })), false);
  });
});

describe("the deliveries of an event", () => {
  it("are one for each channel, by the first rule that matches", () => {
    const rules = [
      rule({ id: "r1", channelId: "c1", types: ["release"] }),
      rule({ id: "r2", channelId: "c1" }),
      rule({ id: "r3", channelId: "c2", windowMs: 60_000 }),
      rule({ id: "r4", channelId: "c1" }),
    ];

    assert.deepEqual(
      deliveriesFor(notableEvent({ id: 7 }), rules).map(({ eventId, channelId, ruleId, windowMs }) => {
        return { eventId, channelId, ruleId, windowMs };
      }),
      [
        { eventId: 7, channelId: "c1", ruleId: "r2", windowMs: 0 },
        { eventId: 7, channelId: "c2", ruleId: "r3", windowMs: 60_000 },
      ],
    );
  });

  it("are of one group if the events agree in what the rule names, and only then", () => {
    const groupBy = fc.subarray(["instance", "type", "severity", "namespace", "revision"] as const);
    const valueOf = {
      instance: (event: ReturnType<typeof notableEvent>) => event.instance.id,
      type: (event: ReturnType<typeof notableEvent>) => event.type,
      severity: (event: ReturnType<typeof notableEvent>) => event.severity,
      namespace: (event: ReturnType<typeof notableEvent>) => event.namespaces.toSorted().join(),
      revision: (event: ReturnType<typeof notableEvent>) => event.revision,
    };
    fc.assert(
      fc.property(anyEvent(), anyEvent(), groupBy, (a, b, by) => {
        const [keyA, keyB] = [a, b].map(
          (event) => deliveriesFor(event, [rule({ groupBy: by })])[0]?.groupKey,
        );

        assert.equal(
          keyA === keyB,
          by.every((each) => valueOf[each](a) === valueOf[each](b)),
        );
      }),
    );
  });
});
