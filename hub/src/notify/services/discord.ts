/** Discord: webhooks of channels. https://discord.com/developers/docs/resources/webhook#execute-webhook */
import type { JsonObject } from "@weir/base";
import type { SettingsOf } from "../channel.ts";
import { contentOf, type Notification } from "../content.ts";
import { cutMarkup } from "../cut.ts";
import type { Severity } from "../event.ts";
import { discordFormat } from "../formats/discord.ts";
import { jsonOf, judgeAnswer } from "../judge.ts";
import type { ServiceAnswer } from "../network.ts";
import type { Outcome } from "../retry.ts";
import type { Services } from "./services.ts";
import { severityMark } from "./severity.ts";

/** Discord allows 4,096 for a description and 1,024 for a field, but only 6,000 for all texts of a message. */
const limits = { title: 256, description: 3_000, field: 350 };

const colors: Readonly<Record<Severity, number>> = { info: 0x3b82f6, warning: 0xf59e0b, error: 0xdc2626 };

/** Posts to a webhook, and waits for Discord to say whether the message was created. */
export async function sendToDiscord(
  notification: Notification,
  settings: SettingsOf<"discord">,
  { network, clock }: Services,
  signal: AbortSignal,
): Promise<Outcome> {
  const url = new URL(settings.url);
  url.searchParams.set("wait", "true");
  const body = discordMessage(notification);
  return judgeDiscord(await network.send({ method: "POST", url, body }, signal), clock.now());
}

/** Discord says in the body, in seconds with fractions, how long to wait. */
function judgeDiscord(answer: ServiceAnswer, now: number): Outcome {
  const outcome = judgeAnswer(answer, now);
  const { id, retry_after: seconds } = jsonOf(answer);
  if (outcome.kind === "delivered" && typeof id === "string") {
    return { kind: "delivered", answer: `HTTP ${answer.status}: created the message ${id}` };
  }
  return outcome.kind === "unavailable" && typeof seconds === "number"
    ? { ...outcome, afterMs: Math.max(outcome.afterMs, Math.ceil(seconds * 1000)) }
    : outcome;
}

function discordMessage(notification: Notification): JsonObject {
  const content = contentOf(notification, { format: discordFormat, maxText: limits.description });
  const title = `${severityMark(content.severity)}${discordFormat.escape(content.title)}`;
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cutMarkup(title, limits.title),
        ...(content.text === "" ? {} : { description: content.text }),
        ...(content.link === "" ? {} : { url: content.link }),
        color: colors[content.severity],
        fields: content.facts.map(({ name, value }) => ({
          name,
          value: cutMarkup(discordFormat.escape(value), limits.field),
          inline: true,
        })),
      },
    ],
  };
}
