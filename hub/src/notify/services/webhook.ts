/** Signed webhooks, as in Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac } from "node:crypto";
import type { JsonObject } from "@weir/base";
import type { SettingsOf } from "../channel.ts";
import { contentOf, type Notification } from "../content.ts";
import { cutText } from "../cut.ts";
import type { NotableEvent } from "../event.ts";
import { plainFormat } from "../formats/plain.ts";
import { judgeAnswer } from "../judge.ts";
import type { Outcome } from "../retry.ts";
import type { Services } from "./services.ts";

/** Of a group with more events, the newest are sent. */
const maxEvents = 100;
const maxNames = 100;
const maxMessage = 4_000;
const maxText = 8_000;

/** Posts the events to a URL, with a signature. */
export async function sendToWebhook(
  notification: Notification,
  { url, key }: SettingsOf<"webhook">,
  { network, clock }: Services,
  signal: AbortSignal,
): Promise<Outcome> {
  const body = JSON.stringify(webhookMessage(notification));
  const headers = signatureHeaders({ id: notification.id, timestamp: clock.now(), body, key });
  const answer = await network.send({ method: "POST", url: new URL(url), headers, body }, signal);
  return judgeAnswer(answer, clock.now());
}

/** What a signature is made from. */
interface Signed {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly body: string;
  /** "whsec_" and the bytes of the key in base64. */
  readonly key: string;
}

function signatureHeaders({ id, timestamp, body, key }: Signed): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(timestamp / 1000));
  const bytes = Buffer.from(key.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", bytes).update(`${id}.${seconds}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": `v1,${signature}`,
  };
}

function webhookMessage(notification: Notification): JsonObject {
  const { events } = notification;
  const newest = events.at(-1) ?? events[0];
  const content = contentOf(notification, { format: plainFormat, maxText });
  return {
    type: "weir.events",
    timestamp: newest.at.toISOString(),
    data: {
      title: content.title,
      text: content.text,
      severity: content.severity,
      count: events.length,
      omitted: Math.max(0, events.length - maxEvents),
      events: events.slice(-maxEvents).map(encodeEvent),
    },
  };
}

function encodeEvent({ id, instance, at, message, ...event }: NotableEvent): JsonObject {
  return {
    id,
    instance: { id: instance.id, name: instance.name },
    type: event.type,
    severity: event.severity,
    namespaces: event.namespaces.slice(0, maxNames),
    workloads: event.workloads.slice(0, maxNames),
    revision: event.revision,
    message: cutText(message, maxMessage),
    at: at.toISOString(),
    link: event.link,
  };
}
