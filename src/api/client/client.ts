/**
 * The HTTP client of the API, as fluxctl uses it: takes values, sends requests, and returns decoded
 * responses. Every method rejects with the FluxError that the server sent, or with RequestError if there was
 * no usable response.
 */

import {
  type Decode,
  daemonLimits,
  type Environment,
  type Finding,
  type JsonValue,
  listAt,
  messageOf,
  stringifyGoJson,
  textAt,
  version,
} from "@weir/base";
import type { UpdateSpec } from "../../update/spec.ts";
import { encodeUpdateSpec } from "../../update/wire.ts";
import type {
  GitConfigReport,
  JobStatusReport,
  ListImagesOptions,
  ListWorkloadsOptions,
  WorkloadImagesReport,
  WorkloadStatusReport,
} from "../types/api-server.ts";
import type { HistoryPage, HistoryQuery } from "../types/history.ts";
import type {
  Confirmation,
  ConfirmationReport,
  DiffQuery,
  DiffReport,
  EventsQuery,
  ImageScan,
  ImageScansQuery,
  LastSyncReport,
  LoggedEvent,
  PendingReport,
  StatusQuery,
  StatusReport,
  SyncSettings,
  TreeChangeQuery,
  TreeQuery,
  TreeReport,
  VerificationReport,
} from "../types/inspection.ts";
import { decodeJobStatus } from "../types/job.ts";
import { inspectionRoutes, type Route, routes } from "../types/routes.ts";
import type { ResumeRequest, SuspendRequest, Suspension, SuspensionReport } from "../types/suspension.ts";
import type { UndoAnswer, UndoRequest } from "../types/undo.ts";
import { decodeGitConfig, decodeWorkloads } from "../types/v6.ts";
import { decodeImageList } from "../types/v6-images.ts";
import { decodeFindings } from "../types/v12-check.ts";
import { decodeConfirmed, decodePending, encodeConfirmation } from "../types/v12-confirmations.ts";
import { decodeDiff } from "../types/v12-diff.ts";
import { decodeLoggedEvents } from "../types/v12-events.ts";
import { decodeHistory } from "../types/v12-history.ts";
import { decodeImageScans } from "../types/v12-image-scans.ts";
import { decodeLastSync } from "../types/v12-last-sync.ts";
import { decodeStatus } from "../types/v12-status.ts";
import {
  decodeSuspensionReport,
  decodeSuspensions,
  encodeResume,
  encodeSuspend,
} from "../types/v12-suspension.ts";
import { decodeSyncSettings } from "../types/v12-sync-settings.ts";
import { decodeTree } from "../types/v12-tree.ts";
import { decodeUndoAnswer, encodeUndoRequest } from "../types/v12-undo.ts";
import { decodeVerification } from "../types/v12-verification.ts";
import { decodeWhy } from "../types/v12-why.ts";
import type { WhyQuery, WhyReport } from "../types/why.ts";
import { isSuccess, refusalOf } from "./answer.ts";
import { RequestError } from "./errors.ts";
import { type ApiAnswer, type ApiRequest, HttpSender } from "./http.ts";

/** The address of the API and the credentials. */
export interface ApiClientOptions {
  /** The base URL, e.g. http://127.0.0.1:3030/api/flux; a query in it is ignored. */
  readonly url: URL;
  /** For services that require one; "" for none. */
  readonly token: string;
  /** Environment variables, which may define a proxy. */
  readonly env: Environment;
}

type Query = Readonly<Record<string, string>>;

/** A client for one API. */
export class ApiClient {
  readonly #options: ApiClientOptions;
  readonly #sender: HttpSender;

  constructor(options: ApiClientOptions) {
    this.#options = options;
    this.#sender = new HttpSender(options.env, daemonLimits);
  }

  /** Closes the connections. */
  close(): void {
    this.#sender.close();
  }

  /** Lists the workloads of a namespace, or of all namespaces if it's "". */
  listWorkloads(
    { namespace, workloads }: ListWorkloadsOptions,
    signal: AbortSignal,
  ): Promise<readonly WorkloadStatusReport[]> {
    return workloads.length === 0
      ? this.#get(routes.listServices, { namespace }, decodeWorkloads, signal)
      : this.#get(
          routes.listServicesWithOptions,
          { namespace, services: workloads.join(",") },
          decodeWorkloads,
          signal,
        );
  }

  /** Lists the available images of workloads. */
  listImages(
    { workload, namespace, fields }: ListImagesOptions,
    signal: AbortSignal,
  ): Promise<readonly WorkloadImagesReport[]> {
    const query = { containerFields: fields.join(","), namespace, service: workload };
    return this.#get(routes.listImagesWithOptions, query, decodeImageList, signal);
  }

  /** Requests an update; resolves to the ID of the job. */
  updateManifests(spec: UpdateSpec, signal: AbortSignal): Promise<string> {
    return this.#post(routes.updateManifests, encodeUpdateSpec(spec), textAt, signal);
  }

  /** The status of a job. */
  jobStatus(id: string, signal: AbortSignal): Promise<JobStatusReport> {
    return this.#get(routes.jobStatus, { id }, decodeJobStatus, signal);
  }

  /** The commits up to `ref` that haven't been applied yet. */
  syncStatus(ref: string, signal: AbortSignal): Promise<readonly string[]> {
    const decode: Decode<readonly string[]> = (value, path) =>
      value === null ? [] : listAt(value, path, textAt);
    return this.#get(routes.syncStatus, { ref }, decode, signal);
  }

  /** The objects in the cluster, as YAML documents. */
  exportAll(signal: AbortSignal): Promise<string> {
    return this.#get(routes.export, {}, decodeExport, signal);
  }

  /** The git repository and its SSH key; generates a new key if `regenerate` is true. */
  gitRepoConfig(regenerate: boolean, signal: AbortSignal): Promise<GitConfigReport> {
    return this.#post(routes.gitRepoConfig, regenerate, decodeGitConfig, signal);
  }

  /** The recent events of the daemon. */
  events({ after, waitMs }: EventsQuery, signal: AbortSignal): Promise<readonly LoggedEvent[]> {
    const query = { after: String(after), wait: String(Math.ceil(waitMs / 1000)) };
    return this.#get(inspectionRoutes.events, query, decodeLoggedEvents, signal);
  }

  /** The changes that a sync would make. */
  diff({ ref }: DiffQuery, signal: AbortSignal): Promise<DiffReport> {
    return this.#get(inspectionRoutes.diff, { ref }, decodeDiff, signal);
  }

  /** What determines which objects a sync applies and deletes. */
  syncSettings(signal: AbortSignal): Promise<SyncSettings> {
    return this.#get(inspectionRoutes.syncSettings, {}, decodeSyncSettings, signal);
  }

  /** The status of all resources in git. */
  tree({ namespace }: TreeQuery, signal: AbortSignal): Promise<TreeReport> {
    return this.#get(inspectionRoutes.tree, { namespace }, decodeTree, signal);
  }

  /** The status of all resources in git when it may have changed; undefined if it hasn't after the wait. */
  async changedTree(
    { namespace, after, waitMs }: TreeQuery & TreeChangeQuery,
    signal: AbortSignal,
  ): Promise<TreeReport | undefined> {
    const query = { namespace, after, wait: String(Math.ceil(waitMs / 1000)) };
    const url = this.#urlOf(inspectionRoutes.tree, query);
    const answer = await this.#sender.send({ method: "GET", url, headers: this.#headers() }, signal);
    return answer.status === 204 ? undefined : decodeAnswer(answer, decodeTree);
  }

  /** The deletions that wait for a confirmation. */
  pendingDeletions(signal: AbortSignal): Promise<PendingReport> {
    return this.#get(inspectionRoutes.pendingDeletions, {}, decodePending, signal);
  }

  /** Confirms deletions. */
  confirmDeletions(confirmation: Confirmation, signal: AbortSignal): Promise<ConfirmationReport> {
    const body = encodeConfirmation(confirmation);
    return this.#post(inspectionRoutes.confirmDeletions, body, decodeConfirmed, signal);
  }

  /** What happened, newest first. */
  history(query: HistoryQuery, signal: AbortSignal): Promise<HistoryPage> {
    const { before, limit, resource, namespace, kinds, since } = query;
    const asked = {
      ...{ before, limit: String(limit), resource, namespace },
      ...{ kinds: kinds.join(","), since: since?.toISOString() ?? "" },
    };
    return this.#get(inspectionRoutes.history, asked, decodeHistory, signal);
  }

  /** Requests that a commit is undone, or asks what that would do. */
  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoAnswer> {
    return this.#post(inspectionRoutes.undo, encodeUndoRequest(request), decodeUndoAnswer, signal);
  }

  /** Up to where the branch is verified. */
  verification(signal: AbortSignal): Promise<VerificationReport> {
    return this.#get(inspectionRoutes.verification, {}, decodeVerification, signal);
  }

  /** How the last sync ended. */
  lastSync(signal: AbortSignal): Promise<LastSyncReport> {
    return this.#get(inspectionRoutes.lastSync, {}, decodeLastSync, signal);
  }

  /** The results of scanning repositories of images. */
  imageScans({ images }: ImageScansQuery, signal: AbortSignal): Promise<readonly ImageScan[]> {
    return this.#get(inspectionRoutes.imageScans, { images: images.join(",") }, decodeImageScans, signal);
  }

  /** Like exportAll, but without --k8s-allow-namespace all namespaces. */
  exportEverything(signal: AbortSignal): Promise<string> {
    return this.#get(inspectionRoutes.exportEverything, {}, decodeExport, signal);
  }

  /** Why a resource, an image, or a commit is as it is. */
  why({ subject, namespace }: WhyQuery, signal: AbortSignal): Promise<WhyReport> {
    return this.#get(inspectionRoutes.why, { subject, namespace }, decodeWhy, signal);
  }

  /** Whether the cluster is as in git, and if not, why. */
  status({ fetch, brief }: StatusQuery, signal: AbortSignal): Promise<StatusReport> {
    return this.#get(
      inspectionRoutes.status,
      { fetch: String(fetch), brief: String(brief) },
      decodeStatus,
      signal,
    );
  }

  /** What is suspended now. */
  suspensions(signal: AbortSignal): Promise<readonly Suspension[]> {
    return this.#get(inspectionRoutes.suspensions, {}, decodeSuspensions, signal);
  }

  /** Suspends syncing, automated image updates, or both. */
  suspend(request: SuspendRequest, signal: AbortSignal): Promise<SuspensionReport> {
    return this.#post(inspectionRoutes.suspend, encodeSuspend(request), decodeSuspensionReport, signal);
  }

  /** Resumes what's suspended. */
  resume(request: ResumeRequest, signal: AbortSignal): Promise<SuspensionReport> {
    return this.#post(inspectionRoutes.resume, encodeResume(request), decodeSuspensionReport, signal);
  }

  /** The results of the daemon's self-check. */
  check(signal: AbortSignal): Promise<readonly Finding[]> {
    return this.#post(inspectionRoutes.check, null, decodeFindings, signal);
  }

  /** The version of the daemon. */
  version(signal: AbortSignal): Promise<string> {
    return this.#get(routes.version, {}, textAt, signal);
  }

  #get<T>(route: Route, query: Query, decode: Decode<T>, signal: AbortSignal): Promise<T> {
    return this.#ask(
      { method: "GET", url: this.#urlOf(route, query), headers: this.#headers() },
      decode,
      signal,
    );
  }

  #post<T>(route: Route, value: JsonValue, decode: Decode<T>, signal: AbortSignal): Promise<T> {
    const body = stringifyGoJson(value, { sortKeys: false });
    const url = this.#urlOf(route, {});
    return this.#ask({ method: "POST", url, headers: this.#headers(), body }, decode, signal);
  }

  async #ask<T>(request: ApiRequest, decode: Decode<T>, signal: AbortSignal): Promise<T> {
    return decodeAnswer(await this.#sender.send(request, signal), decode);
  }

  #headers(): Readonly<Record<string, string>> {
    const { token } = this.#options;
    return {
      Accept: "application/json",
      // Tells fluxd that the request isn't from a browser, whatever host name it uses.
      "User-Agent": `fluxctl/${version}`,
      ...(token === "" ? {} : { Authorization: `Scope-Probe token=${token}` }),
    };
  }

  #urlOf({ path }: Route, query: Query): URL {
    const url = new URL(this.#options.url);
    url.pathname = `${url.pathname}/${path}`.replaceAll(/\/{2,}/g, "/");
    url.search = new URLSearchParams(query).toString();
    url.hash = "";
    return url;
  }
}

function decodeExport(value: JsonValue, path: string): string {
  return Buffer.from(textAt(value, path), "base64").toString("utf8");
}

function decodeAnswer<T>(answer: ApiAnswer, decode: Decode<T>): T {
  if (!isSuccess(answer)) {
    throw refusalOf(answer);
  }
  try {
    return decode(JSON.parse(answer.body) as JsonValue, "");
  } catch (error) {
    throw new RequestError(`decoding response from server: ${messageOf(error)}`, { cause: error });
  }
}
