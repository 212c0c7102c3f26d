import { createHash } from "node:crypto";
import { globMatches } from "@weir/base";
import type { Sight } from "../store/event-part.ts";
import type { NotableEvent, Severity } from "./event.ts";
import type { TemplateTexts } from "./template.ts";

/** What can tell groups of events apart, besides the channel. */
export const groupings = ["instance", "type", "severity", "namespace", "revision"] as const;

export type Grouping = (typeof groupings)[number];

/** Which events go to a channel, and how. Conditions without values hold for every event. */
export interface Rule {
  readonly id: string;
  readonly enabled: boolean;
  readonly channelId: string;
  /** IDs of instances, or their names; `*` stands for any characters, here and below. */
  readonly instances: readonly string[];
  /** One of the event's namespaces has to match. An event about the whole instance has none, and matches no pattern. */
  readonly namespaces: readonly string[];
  readonly types: readonly string[];
  readonly severities: readonly Severity[];
  readonly template: TemplateTexts;
  /** Events that agree in all of these are one group. */
  readonly groupBy: readonly Grouping[];
  /** After a message, further events of its group are collected for this time, in milliseconds; 0 to send each one. */
  readonly windowMs: number;
}

/** What has to be sent for an event: one message, or a part of one. */
export interface Delivery {
  readonly eventId: number;
  readonly channelId: string;
  readonly ruleId: string;
  /** Equal for deliveries that one message may contain. */
  readonly groupKey: string;
  readonly windowMs: number;
}

/** What to deliver for an event: at most once to each channel, by the first rule for it that matches. */
export function deliveriesFor(event: NotableEvent, rules: readonly Rule[]): readonly Delivery[] {
  const matching = rules.filter((rule) => ruleMatches(rule, event));
  const first = new Map(matching.toReversed().map((rule) => [rule.channelId, rule]));
  return matching
    .filter((rule) => first.get(rule.channelId) === rule)
    .map((rule) => ({
      eventId: event.id,
      channelId: rule.channelId,
      ruleId: rule.id,
      groupKey: groupKeyOf(event, rule),
      windowMs: rule.windowMs,
    }));
}

/** True if a rule is enabled and wants the event. */
export function ruleMatches(rule: Rule, event: NotableEvent): boolean {
  return (
    rule.enabled &&
    (rule.severities.length === 0 || rule.severities.includes(event.severity)) &&
    matchesOne(rule.instances, [event.instance.id, event.instance.name]) &&
    matchesOne(rule.types, [event.type]) &&
    matchesOne(rule.namespaces, event.namespaces)
  );
}

/** What a rule with these patterns of namespaces tells of. */
export function sightOfPatterns(patterns: readonly string[]): Sight {
  return patterns.length === 0 ? "everything" : (namespace) => matchesOne(patterns, [namespace]);
}

function matchesOne(patterns: readonly string[], values: readonly string[]): boolean {
  return (
    patterns.length === 0 || patterns.some((pattern) => values.some((value) => globMatches(pattern, value)))
  );
}

/** The rule is part of the key, because its template makes the message. A hash, because there can be many namespaces. */
function groupKeyOf(event: NotableEvent, { id, groupBy }: Rule): string {
  const values = groupings
    .filter((each) => groupBy.includes(each))
    .map((each) => [each, groupValue(event, each)]);
  return createHash("sha256")
    .update(JSON.stringify([id, ...values]))
    .digest("base64url");
}

function groupValue(event: NotableEvent, grouping: Grouping): string | readonly string[] {
  switch (grouping) {
    case "instance":
      return event.instance.id;
    case "type":
      return event.type;
    case "severity":
      return event.severity;
    case "namespace":
      return event.namespaces.toSorted();
    case "revision":
      return event.revision;
  }
}
