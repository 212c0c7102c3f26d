/** Comments about a commit on the pull or merge requests that contain it. */
import type { JsonObject } from "@weir/base";
import { jsonListOf } from "../judge.ts";
import type { ServiceAnswer } from "../network.ts";
import type { Outcome } from "../retry.ts";
import { type CommitReport, commentOf, inTurn, markOf } from "./commits.ts";

/** A service with requests that can be commented on. */
export interface CommentingService {
  /** What it calls a request and a comment, and what it prints before the number of a request. */
  readonly names: {
    readonly request: "pull request" | "merge request";
    readonly comment: "comment" | "note";
    readonly sign: "#" | "!";
  };
  /** The member with the number of a request in lists. */
  readonly numberMember: "number" | "iid";
  /** The path of the list of requests that contain the commit. */
  requestsPath(report: CommitReport): string;
  /** The path of a request's comments. */
  commentsPath(number: number): string;
  /** The query with which that path lists the comments among which this notification would be. */
  recentComments(report: CommitReport): string;
  get(path: string, signal: AbortSignal): Promise<ServiceAnswer>;
  post(path: string, body: JsonObject, signal: AbortSignal): Promise<ServiceAnswer>;
  judge(answer: ServiceAnswer): Outcome;
}

/** Comments on each request that contains the commit, but never a second time. */
export async function commentOnRequests(
  service: CommentingService,
  report: CommitReport,
  signal: AbortSignal,
): Promise<Outcome> {
  const { names, numberMember } = service;
  const answer = await service.get(service.requestsPath(report), signal);
  const outcome = service.judge(answer);
  if (outcome.kind !== "delivered") {
    return outcome;
  }
  const numbers = jsonListOf(answer)
    .map((request) => request[numberMember])
    .filter((number) => typeof number === "number");
  return numbers.length === 0
    ? { kind: "delivered", answer: `no ${names.request} contains ${report.revision.slice(0, 7)}` }
    : inTurn(numbers.map((number) => () => commentOnce(service, { number, report }, signal)));
}

async function commentOnce(
  service: CommentingService,
  { number, report }: { readonly number: number; readonly report: CommitReport },
  signal: AbortSignal,
): Promise<Outcome> {
  const path = service.commentsPath(number);
  const request = `${service.names.sign}${number}`;
  const found = await service.get(`${path}?${service.recentComments(report)}`, signal);
  const outcome = service.judge(found);
  if (outcome.kind !== "delivered") {
    return outcome;
  }
  const mark = markOf(report.notification);
  if (jsonListOf(found).some(({ body }) => typeof body === "string" && body.includes(mark))) {
    return { kind: "delivered", answer: `${request} has the ${service.names.comment}` };
  }
  const answer = await service.post(path, { body: commentOf(report) }, signal);
  const commented = service.judge(answer);
  return commented.kind === "delivered"
    ? { kind: "delivered", answer: `HTTP ${answer.status}: commented on ${request}` }
    : commented;
}
