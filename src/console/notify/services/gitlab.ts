/** GitLab: commit statuses, and notes on merge requests. https://docs.gitlab.com/api/commits/ */
import type { JsonObject } from "@weir/base";
import type { SettingsOf } from "../channel.ts";
import type { Notification } from "../content.ts";
import { judgeAnswer } from "../judge.ts";
import type { ServiceAnswer } from "../network.ts";
import type { Outcome } from "../retry.ts";
import { type CommentingService, commentOnRequests } from "./comments.ts";
import { type CommitReport, commitReports, descriptionOf, inTurn, linkOf } from "./commits.ts";
import type { Services } from "./services.ts";

const maxDescription = 255;
const maxMergeRequests = 5;
const maxListBytes = 8 * 1024 * 1024;

/** Reports each commit that the events name. */
export function sendToGitLab(
  notification: Notification,
  settings: SettingsOf<"gitlab">,
  services: Services,
  signal: AbortSignal,
): Promise<Outcome> {
  const api = new GitLabApi(settings, services);
  return inTurn(
    commitReports(notification).flatMap((report) => [
      ...(settings.status ? [() => api.setStatus(report, signal)] : []),
      ...(settings.comment ? [() => commentOnRequests(api, report, signal)] : []),
    ]),
  );
}

class GitLabApi implements CommentingService {
  readonly names = { request: "merge request", comment: "note", sign: "!" } as const;
  readonly numberMember = "iid";
  readonly #settings: SettingsOf<"gitlab">;
  readonly #services: Services;

  constructor(settings: SettingsOf<"gitlab">, services: Services) {
    this.#settings = settings;
    this.#services = services;
  }

  async setStatus(report: CommitReport, signal: AbortSignal): Promise<Outcome> {
    const link = linkOf(report);
    const body = {
      state: report.isGood ? "success" : "failed",
      name: report.context,
      description: descriptionOf(report, maxDescription),
      ...(link === "" ? {} : { target_url: link }),
    };
    const answer = await this.post(`statuses/${report.revision}`, body, signal);
    const outcome = this.judge(answer);
    if (outcome.kind !== "delivered" && !isUnchanged(answer)) {
      return outcome;
    }
    return {
      kind: "delivered",
      answer: `HTTP ${answer.status}: set the status of ${report.revision.slice(0, 7)}`,
    };
  }

  requestsPath({ revision }: CommitReport): string {
    return `repository/commits/${revision}/merge_requests?per_page=${maxMergeRequests}`;
  }

  commentsPath(number: number): string {
    return `merge_requests/${number}/notes`;
  }

  recentComments(): string {
    return "per_page=100&order_by=created_at&sort=desc";
  }

  judge(answer: ServiceAnswer): Outcome {
    return judgeAnswer(answer, this.#services.clock.now());
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
    const { url, project } = this.#settings;
    return new URL(`${url.replace(/\/+$/, "")}/api/v4/projects/${encodeURIComponent(project)}/${path}`);
  }

  #headers(): Readonly<Record<string, string>> {
    return { "private-token": this.#settings.token };
  }
}

/** GitLab refuses to set a status that the commit has already. */
function isUnchanged({ status, text }: ServiceAnswer): boolean {
  return status === 400 && /Cannot transition status via :(\w+) from :\1/.test(normalize(text));
}

/** The names of the steps, such as "drop", as those of the states that they lead to. */
function normalize(text: string): string {
  return text.replace(":succeed ", ":success ").replace(":drop ", ":failed ");
}
