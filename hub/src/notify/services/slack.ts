/** Slack: incoming webhooks, and chat.postMessage of an app. https://docs.slack.dev/reference/block-kit */
import type { JsonObject } from "@weir/base";
import { retryAfterMs } from "@weir/http";
import type { SettingsOf } from "../channel.ts";
import { type Content, contentOf, type Notification } from "../content.ts";
import { cutText } from "../cut.ts";
import { slackFormat } from "../formats/slack.ts";
import { jsonOf, judgeAnswer } from "../judge.ts";
import type { ServiceAnswer } from "../network.ts";
import type { Outcome } from "../retry.ts";
import type { Services } from "./services.ts";
import { severityMark } from "./severity.ts";

/** Slack's limits, in characters. */
const limits = { header: 150, section: 3_000, field: 2_000 };

/** Errors of Slack's API that pass. */
const passing: ReadonlySet<string> = new Set([
  "ratelimited",
  "rate_limited",
  "internal_error",
  "fatal_error",
  "request_timeout",
  "service_unavailable",
  "team_added_to_org",
  "message_limit_exceeded",
]);

/** Posts to an incoming webhook. */
export async function sendToSlackWebhook(
  notification: Notification,
  { url }: SettingsOf<"slack-webhook">,
  { network, clock }: Services,
  signal: AbortSignal,
): Promise<Outcome> {
  const body = slackMessage(notification);
  return judgeAnswer(await network.send({ method: "POST", url: new URL(url), body }, signal), clock.now());
}

/** Posts to a channel as an app. */
export async function sendToSlackApp(
  notification: Notification,
  { apiUrl, token, channel }: SettingsOf<"slack-app">,
  { network, clock }: Services,
  signal: AbortSignal,
): Promise<Outcome> {
  const url = new URL(`${apiUrl.replace(/\/+$/, "")}/chat.postMessage`);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json; charset=utf-8" };
  const body = { channel, parse: "none", link_names: false, ...slackMessage(notification) };
  return judgeSlackApi(await network.send({ method: "POST", url, headers, body }, signal), clock.now());
}

/** What Slack's API means: it says 200 for most errors too. */
function judgeSlackApi(answer: ServiceAnswer, now: number): Outcome {
  const { ok, error } = jsonOf(answer);
  if (answer.status !== 200 || ok === true) {
    return judgeAnswer(answer, now);
  }
  const code = typeof error === "string" ? error : "an answer without a reason";
  return passing.has(code)
    ? {
        kind: "unavailable",
        reason: `Slack says ${code}`,
        afterMs: retryAfterMs(answer.header("retry-after"), now),
      }
    : { kind: "refused", reason: `Slack says ${code}` };
}

function slackMessage(notification: Notification): JsonObject {
  const content = contentOf(notification, { format: slackFormat, maxText: limits.section });
  const title = `${severityMark(content.severity)}${content.title}`;
  return {
    // What notifications of devices show; the blocks replace it everywhere else.
    text: slackFormat.escape(title),
    blocks: [
      { type: "header", text: plain(cutText(title, limits.header)) },
      ...textBlocks(content),
      { type: "section", fields: content.facts.map(({ name, value }) => plain(`${name}\n${value}`)) },
      ...linkBlocks(content),
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

function textBlocks({ text }: Content): readonly JsonObject[] {
  return text === "" ? [] : [{ type: "section", text: { type: "mrkdwn", text, verbatim: true } }];
}

/** A button would need an app that answers when somebody clicks on it. */
function linkBlocks({ link }: Content): readonly JsonObject[] {
  if (link === "") {
    return [];
  }
  const text = `<${slackFormat.link(link)}|Open in the console>`;
  return [{ type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] }];
}

function plain(text: string): JsonObject {
  return { type: "plain_text", text: cutText(text, limits.field), emoji: false };
}
