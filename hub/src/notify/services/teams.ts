/**
 * Microsoft Teams: webhooks of Workflows ("Post to a channel when a webhook request is received"), which take an Adaptive
 * Card. https://adaptivecards.io/explorer
 */
import type { JsonObject } from "@weir/base";
import type { SettingsOf } from "../channel.ts";
import { type Content, contentOf, type Fact, type Notification } from "../content.ts";
import type { Severity } from "../event.ts";
import { plainFormat } from "../formats/plain.ts";
import { judgeAnswer } from "../judge.ts";
import type { Outcome } from "../retry.ts";
import type { Services } from "./services.ts";

/** Teams takes messages of up to 28 KB, of which this text takes at most 15 KB. */
const maxText = 5_000;
const maxLines = 40;

const colors: Readonly<Record<Severity, string>> = {
  info: "accent",
  warning: "warning",
  error: "attention",
};

/** Posts to a webhook of a workflow. */
export async function sendToTeams(
  notification: Notification,
  { url }: SettingsOf<"teams">,
  { network, clock }: Services,
  signal: AbortSignal,
): Promise<Outcome> {
  const body = teamsMessage(contentOf(notification, { format: plainFormat, maxText }));
  return judgeAnswer(await network.send({ method: "POST", url: new URL(url), body }, signal), clock.now());
}

function teamsMessage(content: Content): JsonObject {
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: adaptiveCard(content),
      },
    ],
  };
}

/** All text is in text runs, in which Teams interprets nothing. In text blocks and facts, it would be Markdown. */
function adaptiveCard({ title, text, facts, severity, link }: Content): JsonObject {
  return {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body: [
      richText({ text: title, size: "Large", weight: "Bolder", color: colors[severity] }),
      ...linesOf(text).map((line) => richText({ text: line })),
      { type: "Container", separator: true, items: facts.map(factText) },
    ],
    actions: link === "" ? [] : [{ type: "Action.OpenUrl", title: "Open in the console", url: link }],
  };
}

/** Teams doesn't break lines within a run everywhere. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines), "…"];
}

function factText({ name, value }: Fact): JsonObject {
  return richText({ text: `${name}: `, weight: "Bolder" }, { text: value });
}

function richText(...runs: readonly JsonObject[]): JsonObject {
  return { type: "RichTextBlock", inlines: runs.map((run) => ({ type: "TextRun", ...run })) };
}
