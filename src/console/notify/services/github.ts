/**
 * GitHub and GitHub Enterprise: commit statuses, and comments on pull requests.
 * https://docs.github.com/en/rest/commits/statuses
 */
import type { JsonObject } from "@weir/base";
import type { SettingsOf } from "../channel.ts";
import type { Notification } from "../content.ts";
import { judgeAnswer } from "../judge.ts";
import type { ServiceAnswer } from "../network.ts";
import type { Outcome } from "../retry.ts";
import { type CommentingService, commentOnRequests } from "./comments.ts";
import { type CommitReport, commitReports, descriptionOf, inTurn, linkOf } from "./commits.ts";
import { GitHubTokenError, type GitHubTokens } from "./github-tokens.ts";
import type { Services } from "./services.ts";

const maxDescription = 140;
const maxPullRequests = 5;

/** Lists of pull requests and comments are long. */
const maxListBytes = 8 * 1024 * 1024;

/** A comment of this notification isn't older, even if clocks differ. */
const searchBackMs = 24 * 60 * 60 * 1000;

/** What sending to GitHub needs. */
export interface GitHubServices extends Services {
  readonly githubTokens: GitHubTokens;
}

/** Reports each commit that the events name. */
export async function sendToGitHub(
  notification: Notification,
  settings: SettingsOf<"github">,
  services: GitHubServices,
  signal: AbortSignal,
): Promise<Outcome> {
  const reports = commitReports(notification);
  if (reports.length === 0) {
    return inTurn([]);
  }
  try {
    const token = await services.githubTokens.tokenFor(settings, signal);
    const api = new GitHubApi(settings, token, services);
    return await inTurn(
      reports.flatMap((report) => [
        ...(settings.status ? [() => api.setStatus(report, signal)] : []),
        ...(settings.comment ? [() => commentOnRequests(api, report, signal)] : []),
      ]),
    );
  } catch (error) {
    if (error instanceof GitHubTokenError) {
      return error.outcome;
    }
    throw error;
  }
}

class GitHubApi implements CommentingService {
  readonly names = { request: "pull request", comment: "comment", sign: "#" } as const;
  readonly numberMember = "number";
  readonly #settings: SettingsOf<"github">;
  readonly #token: string;
  readonly #services: Services;

  constructor(settings: SettingsOf<"github">, token: string, services: Services) {
    this.#settings = settings;
    this.#token = token;
    this.#services = services;
  }

  async setStatus(report: CommitReport, signal: AbortSignal): Promise<Outcome> {
    const link = linkOf(report);
    const body = {
      state: report.isGood ? "success" : "failure",
      context: report.context,
      description: descriptionOf(report, maxDescription),
      ...(link === "" ? {} : { target_url: link }),
    };
    const answer = await this.post(`statuses/${report.revision}`, body, signal);
    const outcome = this.judge(answer);
    return outcome.kind === "delivered"
      ? {
          kind: "delivered",
          answer: `HTTP ${answer.status}: set the status of ${report.revision.slice(0, 7)}`,
        }
      : outcome;
  }

  requestsPath({ revision }: CommitReport): string {
    return `commits/${revision}/pulls?per_page=${maxPullRequests}`;
  }

  commentsPath(number: number): string {
    return `issues/${number}/comments`;
  }

  recentComments({ notification }: CommitReport): string {
    const [oldest] = notification.events;
    const since = new Date(oldest.at.getTime() - searchBackMs).toISOString();
    return `per_page=100&since=${encodeURIComponent(since)}`;
  }

  judge(answer: ServiceAnswer): Outcome {
    return judgeGitHub(answer, this.#services.clock.now());
  }

  get(path: string, signal: AbortSignal): Promise<ServiceAnswer> {
    const request = {
      method: "GET",
      url: this.#url(path),
      headers: this.#headers(),
      maxBytes: maxListBytes,
    } as const;
    return this.#services.network.send(request, signal);
  }

  post(path: string, body: JsonObject, signal: AbortSignal): Promise<ServiceAnswer> {
    const request = { method: "POST", url: this.#url(path), headers: this.#headers(), body } as const;
    return this.#services.network.send(request, signal);
  }

  #url(path: string): URL {
    const { apiUrl, repository } = this.#settings;
    return new URL(`${apiUrl.replace(/\/+$/, "")}/repos/${repository}/${path}`);
  }

  #headers(): Readonly<Record<string, string>> {
    return { ...githubHeaders, authorization: `Bearer ${this.#token}` };
  }
}

const githubHeaders = {
  accept: "application/vnd.github+json",
  "user-agent": "weir-console",
  "x-github-api-version": "2022-11-28",
};

/** GitHub says 403 or 429 when a limit was reached, and then when it ends. https://docs.github.com/en/rest/using-the-rest-api */
export function judgeGitHub(answer: ServiceAnswer, now: number): Outcome {
  const outcome = judgeAnswer(answer, now);
  const { status, header } = answer;
  if ((status !== 403 && status !== 429) || outcome.kind === "delivered") {
    return outcome;
  }
  const resetMs = Number(header("x-ratelimit-reset")) * 1000;
  const isLimited = header("x-ratelimit-remaining") === "0" && Number.isFinite(resetMs);
  const retryAfter = Number(header("retry-after"));
  if (!isLimited && !(retryAfter > 0) && status !== 429) {
    return outcome;
  }
  const afterMs = retryAfter > 0 ? retryAfter * 1000 : isLimited ? Math.max(0, resetMs - now) : 0;
  return { kind: "unavailable", reason: outcome.reason, afterMs };
}
