/** What the store has, as notifications use it. */
import { isJsonObject } from "@weir/base";
import type { SecretBox } from "../secret-box/secret-box.ts";
import type { NamedEvent } from "../store/events.ts";
import type { ActiveRule, ClaimedMessage } from "../store/outbox.ts";
import { type ChannelSettings, channelSettings, type PartialSettings } from "./channel.ts";
import type { NotableEvent } from "./event.ts";
import { type Grouping, groupings, type Rule } from "./rule.ts";

/** The address of an event in the console's page, by its number; "" if the console doesn't know its own address. */
export type EventUrl = (id: number) => string;

/** An event for rules and templates. */
export function notableEventOf(event: Omit<NamedEvent, "metadata">, eventUrl: EventUrl): NotableEvent {
  return {
    id: event.id,
    instance: { id: event.instanceId, name: event.instanceName },
    type: event.type,
    severity: event.severity,
    namespaces: event.namespaces,
    workloads: event.workloadIds,
    revision: event.revision,
    message: event.message,
    at: event.at,
    link: eventUrl(event.id),
  };
}

/** A rule that can match. */
export function ruleOf(row: ActiveRule): Rule {
  return {
    id: row.id,
    enabled: row.enabled,
    channelId: row.channelId,
    instances: row.instances,
    namespaces: row.namespaces,
    types: row.eventTypes,
    severities: row.severities,
    template: templateOf(row),
    groupBy: row.groupBy.filter(isGrouping),
    windowMs: row.groupSeconds * 1000,
  };
}

/** The templates of a rule; "" stands for the usual ones. */
export function templateOf({ title, body }: Pick<ClaimedMessage, "title" | "body">): Rule["template"] {
  return { title: title === "" ? undefined : title, text: body === "" ? undefined : body };
}

/** Whose secrets those of a channel are, for the box. */
export function ownerOf(channelId: string): string {
  return `notification-channel:${channelId}`;
}

/** The settings of a channel with its secrets. Throws SecretBoxError, or ZodError if they are of another version. */
export function openSettings(
  { channelId, settings, secret }: Pick<ClaimedMessage, "channelId" | "settings" | "secret">,
  box: SecretBox,
): ChannelSettings {
  const secrets = secret === "" ? {} : (JSON.parse(box.open(secret, ownerOf(channelId))) as PartialSettings);
  return channelSettings.parse({ ...(isJsonObject(settings) ? settings : {}), ...secrets });
}

function isGrouping(name: string): name is Grouping {
  return (groupings as readonly string[]).includes(name);
}
