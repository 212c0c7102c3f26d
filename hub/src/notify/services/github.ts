/**
 * GitHub and GitHub Enterprise: commit statuses, and comments on pull requests.
 * https://docs.github.com/en/rest/commits/statuses
 */
import type { SettingsOf } from "../channel.ts";
import type { Notification } from "../content.ts";
import { judgeAnswer } from "../judge.ts";
import type { ServiceAnswer } from "../network.ts";
import type { Outcome } from "../retry.ts";
import { commitReports, descriptionOf, inTurn } from "./commits.ts";
import { GitHubTokenError, type GitHubTokens } from "./github-tokens.ts";
import { type RepositoryService, reportCommits } from "./repository-api.ts";
import type { Services } from "./services.ts";

const maxDescription = 140;
const maxPullRequests = 5;

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
    const service = repositoryOf(settings, await services.githubTokens.tokenFor(settings, signal));
    return await reportCommits({ service, services, reports, wanted: settings }, signal);
  } catch (error) {
    if (error instanceof GitHubTokenError) {
      return error.outcome;
    }
    throw error;
  }
}

function repositoryOf({ apiUrl, repository }: SettingsOf<"github">, token: string): RepositoryService {
  return {
    names: { request: "pull request", comment: "comment", sign: "#" },
    numberMember: "number",
    headers: { ...githubHeaders, authorization: `Bearer ${token}` },
    url: (path) => new URL(`${apiUrl.replace(/\/+$/, "")}/repos/${repository}/${path}`),
    status: (report) => ({
      state: report.isGood ? "success" : "failure",
      context: report.context,
      description: descriptionOf(report, maxDescription),
    }),
    isUnchanged: () => false,
    requestsPath: ({ revision }) => `commits/${revision}/pulls?per_page=${maxPullRequests}`,
    commentsPath: (number) => `issues/${number}/comments`,
    recentComments: ({ notification }) => {
      const [oldest] = notification.events;
      const since = new Date(oldest.at.getTime() - searchBackMs).toISOString();
      return `per_page=100&since=${encodeURIComponent(since)}`;
    },
    judge: judgeGitHub,
  };
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
