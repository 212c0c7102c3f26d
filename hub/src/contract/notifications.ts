import * as z from "zod";
import { anyJson, id, page, paging, shortName, time } from "./common.ts";
import { severity } from "./events.ts";

export const channelKind = z.enum([
  "slack-webhook",
  "slack-app",
  "teams",
  "discord",
  "mail",
  "webhook",
  "github",
  "gitlab",
]);

export const channel = z.object({
  id,
  name: z.string(),
  kind: channelKind,
  settings: z
    .record(z.string(), anyJson)
    .meta({ description: "All but the secret ones; their keys depend on the kind." }),
  hasSecret: z.boolean(),
  enabled: z.boolean(),
  lastSentAt: time.nullable(),
  lastError: z.string(),
  lastErrorAt: time.nullable(),
});

export const channels = z.object({ rows: z.array(channel) });

export const newChannel = z.object({
  name: shortName,
  kind: channelKind,
  settings: z
    .record(z.string(), anyJson)
    .meta({ description: "With the secret ones, such as tokens and passwords; they are never shown again." }),
});

export const channelChange = z.object({
  name: shortName.optional(),
  settings: z.record(z.string(), anyJson).optional().meta({
    description:
      "Those that change, null for what isn't set any more; secret ones stay unless they are sent, or where they go changes.",
  }),
  enabled: z.boolean().optional(),
});

/** A channel that isn't stored, to be tested. */
export const channelTrial = newChannel.pick({ kind: true, settings: true });

/** What the service answered to a test. */
export const channelTest = z.object({ delivered: z.boolean(), answer: z.string() });

const template = z.string().max(2_000).nullable();

const ruleFields = {
  name: shortName,
  channelId: id,
  enabled: z.boolean(),
  instances: z.array(id).max(1_000),
  namespaces: z.array(z.string().max(253)).max(1_000),
  eventTypes: z.array(z.string().max(100)).max(100),
  severities: z.array(severity).max(3),
  title: template.meta({ description: "The template of the title; null for the usual one." }),
  template: template.meta({ description: "The template of the text; null for the usual one." }),
  groupBy: z
    .array(z.enum(["instance", "type", "severity", "namespace", "revision"]))
    .max(5)
    .meta({
      description: "Events that agree in all of these are one group; if there are none, all events are.",
    }),
  groupSeconds: z
    .number()
    .int()
    .min(0)
    .max(86_400)
    .meta({ description: "How long events of a group are collected; 0 sends each by itself." }),
};

/** Which events go to a channel; empty lists mean all. */
export const rule = z.object({ id, ...ruleFields });
export const newRule = z.object(ruleFields);
export const ruleChange = newRule.partial();
export const rules = z.object({ rows: z.array(rule) });

export const delivery = z.object({
  id,
  channelId: id,
  state: z.enum(["pending", "sent", "failed"]),
  attempts: z.number().int(),
  createdAt: time,
  endedAt: time.nullable(),
  error: z.string(),
});

export const deliveryQuery = z.object({
  ...paging,
  channel: id.optional(),
  state: z.enum(["pending", "sent", "failed"]).optional(),
});
export const deliveries = page(delivery);

export type Channel = z.output<typeof channel>;
export type Rule = z.output<typeof rule>;
