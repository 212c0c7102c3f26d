/** GitLab: commit statuses, and notes on merge requests. https://docs.gitlab.com/api/commits/ */
import type { JsonObject } from "@weir/base";
import type { SettingsOf } from "../channel.ts";
import type { Notification } from "../content.ts";
import { jsonListOf, judgeAnswer } from "../judge.ts";
import type { ServiceAnswer } from "../network.ts";
import type { Outcome } from "../retry.ts";
import {
  type CommitReport,
  commentOf,
  commitReports,
  descriptionOf,
  inTurn,
  linkOf,
  markOf,
} from "./commits.ts";
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
      ...(settings.comment ? [() => api.comment(report, signal)] : []),
    ]),
  );
}

class GitLabApi {
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
    const answer = await this.#post(`statuses/${report.revision}`, body, signal);
    const outcome = judgeAnswer(answer, this.#services.clock.now());
    if (outcome.kind !== "delivered" && !isUnchanged(answer)) {
      return outcome;
    }
    return {
      kind: "delivered",
      answer: `HTTP ${answer.status}: set the status of ${report.revision.slice(0, 7)}`,
    };
  }

  async comment(report: CommitReport, signal: AbortSignal): Promise<Outcome> {
    const path = `repository/commits/${report.revision}/merge_requests?per_page=${maxMergeRequests}`;
    const answer = await this.#get(path, signal);
    const outcome = judgeAnswer(answer, this.#services.clock.now());
    if (outcome.kind !== "delivered") {
      return outcome;
    }
    const numbers = jsonListOf(answer).flatMap(({ iid }) => (typeof iid === "number" ? [iid] : []));
    return numbers.length === 0
      ? { kind: "delivered", answer: `no merge request contains ${report.revision.slice(0, 7)}` }
      : inTurn(numbers.map((number) => () => this.#commentOnce(number, report, signal)));
  }

  async #commentOnce(number: number, report: CommitReport, signal: AbortSignal): Promise<Outcome> {
    const { clock } = this.#services;
    const path = `merge_requests/${number}/notes`;
    const notes = await this.#get(`${path}?per_page=100&order_by=created_at&sort=desc`, signal);
    const outcome = judgeAnswer(notes, clock.now());
    if (outcome.kind !== "delivered") {
      return outcome;
    }
    const mark = markOf(report.notification);
    if (jsonListOf(notes).some(({ body }) => typeof body === "string" && body.includes(mark))) {
      return { kind: "delivered", answer: `!${number} has the note` };
    }
    const answer = await this.#post(path, { body: commentOf(report) }, signal);
    const commented = judgeAnswer(answer, clock.now());
    return commented.kind === "delivered"
      ? { kind: "delivered", answer: `HTTP ${answer.status}: commented on !${number}` }
      : commented;
  }

  #get(path: string, signal: AbortSignal): Promise<ServiceAnswer> {
    const request = {
      method: "GET",
      url: this.#url(path),
      headers: this.#headers(),
      maxBytes: maxListBytes,
    } as const;
    return this.#services.network.send(request, signal);
  }

  #post(path: string, body: JsonObject, signal: AbortSignal): Promise<ServiceAnswer> {
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
