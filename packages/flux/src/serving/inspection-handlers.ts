import { apiLimits, type JsonValue, textAt } from "@weir/base";
import { type HistoryKind, type HistoryQuery, historyKinds } from "../api/history.ts";
import type { Inspection } from "../api/inspection.ts";
import type { JobRequest } from "../api/job-request.ts";
import type { inspectionRoutes } from "../api/routes.ts";
import { encodeFindings } from "../api/v12-check.ts";
import { decodeConfirmation, encodeConfirmed, encodePending } from "../api/v12-confirmations.ts";
import { encodeDiff } from "../api/v12-diff.ts";
import { encodeLoggedEvents } from "../api/v12-events.ts";
import { encodeHistory } from "../api/v12-history.ts";
import { encodeImageScans } from "../api/v12-image-scans.ts";
import { decodeJobRequest, encodeRequestedJob } from "../api/v12-jobs.ts";
import { encodeLastSync } from "../api/v12-last-sync.ts";
import { encodeStatus } from "../api/v12-status.ts";
import {
  decodeResume,
  decodeSuspend,
  encodeSuspensionReport,
  encodeSuspensions,
} from "../api/v12-suspension.ts";
import { encodeSyncSettings } from "../api/v12-sync-settings.ts";
import { encodeTree } from "../api/v12-tree.ts";
import { decodeUndoRequest, encodeUndoAnswer } from "../api/v12-undo.ts";
import { encodeVerification } from "../api/v12-verification.ts";
import { encodeWhy } from "../api/v12-why.ts";
import { parseResourceId, type ResourceId } from "../resource/id.ts";
import { BadRequestError, type Handler, json, reading } from "./request.ts";

/** How long a request can wait for news, in seconds. */
const longestWait = 60;

/** Longer than any name of a resource, an image, or a commit, in characters. */
const longestName = 1_024;
/** How many entries a page of the history has, unless the request says how many, and at most. */
const [defaultPage, longestPage] = [20, 500];

/** The handlers of Weir's own routes, by route name. */
export const inspectionHandlers: Readonly<Record<keyof typeof inspectionRoutes, Handler<Inspection>>> = {
  events: async (server, { query, signal }) => {
    const after = wholeNumber(query, "after");
    return json(encodeLoggedEvents(await server.events({ after, waitMs: waitIn(query) }, signal)));
  },
  diff: async (server, { query, signal }) =>
    json(encodeDiff(await server.diff({ ref: query.get("ref") ?? "" }, signal))),
  syncSettings: async (server, { signal }) => json(encodeSyncSettings(await server.syncSettings(signal))),
  tree: async (server, { query, signal }) => {
    const after = query.get("after") ?? "";
    const isNews = after === "" || (await server.treeChanged({ after, waitMs: waitIn(query) }, signal));
    return isNews
      ? json(encodeTree(await server.tree({ namespace: query.get("namespace") ?? "" }, signal)))
      : { status: 204 };
  },
  pendingDeletions: async (server, { signal }) => json(encodePending(await server.pendingDeletions(signal))),
  confirmDeletions: async (server, request) => {
    const confirmation = reading(decodeConfirmation, await request.json());
    return json(encodeConfirmed(await server.confirmDeletions(confirmation, request.signal)));
  },
  history: async (server, { query, signal }) =>
    json(encodeHistory(await server.history(historyQuery(query), signal))),
  requestJob: async (server, request) => {
    const asked = reading(decodeJobRequest, await request.json());
    if (isDryRun(asked)) {
      throw new BadRequestError("a dry run isn't a job: ask the route of what is to be done");
    }
    return json(encodeRequestedJob(await server.requestJob(asked, request.signal)));
  },
  undo: async (server, request) => {
    const asked = reading(decodeUndoRequest, await request.json(apiLimits.smallBody));
    return json(encodeUndoAnswer(await server.undo(asked, request.signal)));
  },
  verification: async (server, { signal }) => json(encodeVerification(await server.verification(signal))),
  lastSync: async (server, { signal }) => json(encodeLastSync(await server.lastSync(signal))),
  imageScans: async (server, { query, signal }) => {
    const images = (query.get("images") ?? "").split(",").filter((image) => image !== "");
    return json(encodeImageScans(await server.imageScans({ images }, signal)));
  },
  exportEverything: async (server, { signal }) =>
    json(Buffer.from(await server.exportEverything(signal)).toString("base64")),
  why: async (server, { query, signal }) => {
    const subject = shortText(query, "subject");
    return json(encodeWhy(await server.why({ subject, namespace: shortText(query, "namespace") }, signal)));
  },
  status: async (server, { query, signal }) => {
    const asked = { fetch: query.get("fetch") === "true", brief: query.get("brief") === "true" };
    return json(encodeStatus(await server.status(asked, signal)));
  },
  suspensions: async (server, { signal }) => json(encodeSuspensions(await server.suspensions(signal))),
  suspend: async (server, request) => {
    const wanted = reading(decodeSuspend, await request.json(apiLimits.smallBody));
    return json(encodeSuspensionReport(await server.suspend(wanted, request.signal)));
  },
  resume: async (server, request) => {
    const wanted = reading(decodeResume, await request.json(apiLimits.smallBody));
    return json(encodeSuspensionReport(await server.resume(wanted, request.signal)));
  },
  check: async (server, { signal }) => json(encodeFindings(await server.check(signal))),
};

function isDryRun({ work }: JobRequest): boolean {
  if (work.kind === "undo") {
    return work.request.dryRun;
  }
  const { spec } = work;
  return (spec.type === "image" || spec.type === "containers") && spec.spec.kind === "plan";
}

/** How long the caller wants to wait for news, in milliseconds. */
function waitIn(query: URLSearchParams): number {
  return Math.min(wholeNumber(query, "wait"), longestWait) * 1000;
}

/** A name in the query; "" if it's absent. */
function shortText(query: URLSearchParams, key: string): string {
  const text = query.get(key) ?? "";
  if (text.length > longestName) {
    throw new BadRequestError(`${key} is longer than ${longestName} characters`);
  }
  return text;
}

/** Throws BadRequestError. */
function historyQuery(query: URLSearchParams): HistoryQuery {
  const limit = query.has("limit") ? wholeNumber(query, "limit") : defaultPage;
  const since = query.get("since") ?? "";
  const resource = query.get("resource") ?? "";
  return {
    before: query.get("before") ?? "",
    limit: Math.min(limit, longestPage),
    resource: resource === "" ? "" : reading(idIn, resource),
    namespace: query.get("namespace") ?? "",
    kinds: (query.get("kinds") ?? "")
      .split(",")
      .filter((kind) => kind !== "")
      .map(historyKind),
    since: since === "" ? undefined : timeIn(since),
  };
}

function idIn(value: JsonValue): ResourceId {
  return parseResourceId(textAt(value, "resource"));
}

function historyKind(text: string): HistoryKind {
  const kind = historyKinds.find((each) => each === text);
  if (kind === undefined) {
    throw new BadRequestError(`unknown kind ${JSON.stringify(text)}: expected ${historyKinds.join(", ")}`);
  }
  return kind;
}

function timeIn(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new BadRequestError(
      `parsing since ${JSON.stringify(text)}: expected a time, like 2026-01-31T12:00:00Z`,
    );
  }
  return time;
}

/** A number in the query; 0 if it's absent. */
function wholeNumber(query: URLSearchParams, key: string): number {
  const text = query.get(key) ?? "0";
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new BadRequestError(`parsing ${key} ${JSON.stringify(text)}: expected a whole number`);
  }
  return value;
}
