/** What GitHub and GitLab have in common as services: statuses of commits, and comments on requests to merge them. */
import type { JsonObject } from "@weir/base";
import { jsonListOf } from "../judge.ts";
import type { ServiceAnswer } from "../network.ts";
import type { Outcome } from "../retry.ts";
import { type CommitReport, commentOf, inTurn, linkOf, markOf } from "./commits.ts";
import type { Services } from "./services.ts";

/** Lists of requests and comments are long. */
const maxListBytes = 8 * 1024 * 1024;

/** A repository at a service, and how that service wants things to be asked and said. */
export interface RepositoryService {
  /** What it calls a request and a comment, and what it prints before the number of a request. */
  readonly names: {
    readonly request: "pull request" | "merge request";
    readonly comment: "comment" | "note";
    readonly sign: "#" | "!";
  };
  /** The member with the number of a request in lists. */
  readonly numberMember: "number" | "iid";
  readonly headers: Readonly<Record<string, string>>;
  /** The URL of a path below the repository. */
  url(path: string): URL;
  /** The status of a commit, without the link. */
  status(report: CommitReport): JsonObject;
  /** True if an answer says that the commit has the status already. */
  isUnchanged(answer: ServiceAnswer): boolean;
  /** The path of the list of requests that contain the commit. */
  requestsPath(report: CommitReport): string;
  /** The path of a request's comments. */
  commentsPath(number: number): string;
  /** The query with which that path lists the comments among which this notification would be. */
  recentComments(report: CommitReport): string;
  judge(answer: ServiceAnswer, now: number): Outcome;
}

/** Which reports go where. */
export interface Reporting {
  readonly service: RepositoryService;
  readonly services: Services;
  readonly reports: readonly CommitReport[];
  readonly wanted: { readonly status: boolean; readonly comment: boolean };
}

/** Sets the statuses of commits, and comments on the requests that contain them, as far as that's wanted. */
export function reportCommits(
  { service, services, reports, wanted }: Reporting,
  signal: AbortSignal,
): Promise<Outcome> {
  const api = new RepositoryApi(service, services, signal);
  return inTurn(
    reports.flatMap((report) => [
      ...(wanted.status ? [() => setStatus(api, report)] : []),
      ...(wanted.comment ? [() => commentOnRequests(api, report)] : []),
    ]),
  );
}

class RepositoryApi {
  readonly service: RepositoryService;
  readonly #services: Services;
  readonly #signal: AbortSignal;

  constructor(service: RepositoryService, services: Services, signal: AbortSignal) {
    this.service = service;
    this.#services = services;
    this.#signal = signal;
  }

  get(path: string): Promise<ServiceAnswer> {
    return this.#services.network.send(
      { method: "GET", ...this.#to(path), maxBytes: maxListBytes },
      this.#signal,
    );
  }

  post(path: string, body: JsonObject): Promise<ServiceAnswer> {
    return this.#services.network.send({ method: "POST", ...this.#to(path), body }, this.#signal);
  }

  judge(answer: ServiceAnswer): Outcome {
    return this.service.judge(answer, this.#services.clock.now());
  }

  #to(path: string): Pick<RepositoryService, "headers"> & { readonly url: URL } {
    return { url: this.service.url(path), headers: this.service.headers };
  }
}

async function setStatus(api: RepositoryApi, report: CommitReport): Promise<Outcome> {
  const link = linkOf(report);
  const answer = await api.post(`statuses/${report.revision}`, {
    ...api.service.status(report),
    ...(link === "" ? {} : { target_url: link }),
  });
  const outcome = api.judge(answer);
  if (outcome.kind !== "delivered" && !api.service.isUnchanged(answer)) {
    return outcome;
  }
  return {
    kind: "delivered",
    answer: `HTTP ${answer.status}: set the status of ${report.revision.slice(0, 7)}`,
  };
}

/** Comments on each request that contains the commit, but never a second time. */
async function commentOnRequests(api: RepositoryApi, report: CommitReport): Promise<Outcome> {
  const { names, numberMember } = api.service;
  const answer = await api.get(api.service.requestsPath(report));
  const outcome = api.judge(answer);
  if (outcome.kind !== "delivered") {
    return outcome;
  }
  const numbers = jsonListOf(answer)
    .map((request) => request[numberMember])
    .filter((number) => typeof number === "number");
  return numbers.length === 0
    ? { kind: "delivered", answer: `no ${names.request} contains ${report.revision.slice(0, 7)}` }
    : inTurn(numbers.map((number) => () => commentOnce(api, number, report)));
}

async function commentOnce(api: RepositoryApi, number: number, report: CommitReport): Promise<Outcome> {
  const { names } = api.service;
  const path = api.service.commentsPath(number);
  const request = `${names.sign}${number}`;
  const found = await api.get(`${path}?${api.service.recentComments(report)}`);
  const outcome = api.judge(found);
  if (outcome.kind !== "delivered") {
    return outcome;
  }
  const mark = markOf(report.notification);
  if (jsonListOf(found).some(({ body }) => typeof body === "string" && body.includes(mark))) {
    return { kind: "delivered", answer: `${request} has the ${names.comment}` };
  }
  const answer = await api.post(path, { body: commentOf(report) });
  const commented = api.judge(answer);
  return commented.kind === "delivered"
    ? { kind: "delivered", answer: `HTTP ${answer.status}: commented on ${request}` }
    : commented;
}
