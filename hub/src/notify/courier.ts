import { abortReason } from "@weir/base";
import { type ChannelSettings, secretTexts } from "./channel.ts";
import type { Notification } from "./content.ts";
import { judgeError } from "./judge.ts";
import { Network, type NetworkOptions } from "./network.ts";
import type { Outcome } from "./retry.ts";
import { sendToDiscord } from "./services/discord.ts";
import { type GitHubServices, sendToGitHub } from "./services/github.ts";
import { GitHubTokens } from "./services/github-tokens.ts";
import { sendToGitLab } from "./services/gitlab.ts";
import { sendMail } from "./services/mail.ts";
import { sendToSlackApp, sendToSlackWebhook } from "./services/slack.ts";
import { sendToTeams } from "./services/teams.ts";
import { sendToWebhook } from "./services/webhook.ts";

/** Sends notifications through channels. */
export class Courier {
  readonly #services: GitHubServices;

  constructor(options: NetworkOptions) {
    const { clock } = options;
    const network = new Network(options);
    this.#services = { network, clock, githubTokens: new GitHubTokens(network, clock) };
  }

  /**
   * Sends a notification once. What the service answered, or why there was no answer, is in the outcome, without the
   * secrets of the channel. Rejects only if the signal is aborted.
   */
  async deliver(
    notification: Notification,
    settings: ChannelSettings,
    signal: AbortSignal,
  ): Promise<Outcome> {
    try {
      return redacted(await this.#send(notification, settings, signal), settings);
    } catch (error) {
      if (signal.aborted) {
        throw abortReason(signal);
      }
      return redacted(judgeError(error), settings);
    }
  }

  #send(notification: Notification, settings: ChannelSettings, signal: AbortSignal): Promise<Outcome> {
    switch (settings.kind) {
      case "slack-webhook":
        return sendToSlackWebhook(notification, settings, this.#services, signal);
      case "slack-app":
        return sendToSlackApp(notification, settings, this.#services, signal);
      case "teams":
        return sendToTeams(notification, settings, this.#services, signal);
      case "discord":
        return sendToDiscord(notification, settings, this.#services, signal);
      case "mail":
        return sendMail(notification, settings, this.#services, signal);
      case "webhook":
        return sendToWebhook(notification, settings, this.#services, signal);
      case "github":
        return sendToGitHub(notification, settings, this.#services, signal);
      case "gitlab":
        return sendToGitLab(notification, settings, this.#services, signal);
    }
  }
}

/** Services repeat what they were sent in their errors. */
function redacted(outcome: Outcome, settings: ChannelSettings): Outcome {
  const secrets = secretTexts(settings).toSorted((a, b) => b.length - a.length);
  const redact = (text: string): string =>
    secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "[hidden]")), text);
  return outcome.kind === "delivered"
    ? { ...outcome, answer: redact(outcome.answer) }
    : { ...outcome, reason: redact(outcome.reason) };
}
