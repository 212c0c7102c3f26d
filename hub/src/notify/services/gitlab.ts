/** GitLab: commit statuses, and notes on merge requests. https://docs.gitlab.com/api/commits/ */
import type { SettingsOf } from "../channel.ts";
import type { Notification } from "../content.ts";
import { judgeAnswer } from "../judge.ts";
import type { ServiceAnswer } from "../network.ts";
import type { Outcome } from "../retry.ts";
import { commitReports, descriptionOf } from "./commits.ts";
import { type RepositoryService, reportCommits } from "./repository-api.ts";
import type { Services } from "./services.ts";

const maxDescription = 255;
const maxMergeRequests = 5;

/** Reports each commit that the events name. */
export function sendToGitLab(
  notification: Notification,
  settings: SettingsOf<"gitlab">,
  services: Services,
  signal: AbortSignal,
): Promise<Outcome> {
  const reports = commitReports(notification);
  return reportCommits({ service: projectOf(settings), services, reports, wanted: settings }, signal);
}

function projectOf({ url, project, token }: SettingsOf<"gitlab">): RepositoryService {
  return {
    names: { request: "merge request", comment: "note", sign: "!" },
    numberMember: "iid",
    headers: { "private-token": token },
    url: (path) =>
      new URL(`${url.replace(/\/+$/, "")}/api/v4/projects/${encodeURIComponent(project)}/${path}`),
    status: (report) => ({
      state: report.isGood ? "success" : "failed",
      name: report.context,
      description: descriptionOf(report, maxDescription),
    }),
    isUnchanged,
    requestsPath: ({ revision }) =>
      `repository/commits/${revision}/merge_requests?per_page=${maxMergeRequests}`,
    commentsPath: (number) => `merge_requests/${number}/notes`,
    recentComments: () => "per_page=100&order_by=created_at&sort=desc",
    judge: judgeAnswer,
  };
}

/** GitLab refuses to set a status that the commit has already. */
function isUnchanged({ status, text }: ServiceAnswer): boolean {
  return status === 400 && /Cannot transition status via :(\w+) from :\1/.test(normalize(text));
}

/** The names of the steps, such as "drop", as those of the states that they lead to. */
function normalize(text: string): string {
  return text.replace(":succeed ", ":success ").replace(":drop ", ":failed ");
}
