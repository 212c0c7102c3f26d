/**
 * Weir's additions to the API: takes values, sends requests over a transport, and returns decoded responses. Every method
 * rejects as the transport does.
 */
import type { Decode, Finding } from "@weir/base";
import type { HistoryPage, HistoryQuery } from "../api/history.ts";
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
} from "../api/inspection.ts";
import type { JobRequest } from "../api/job-request.ts";
import { inspectionRoutes } from "../api/routes.ts";
import type { ResumeRequest, SuspendRequest, Suspension, SuspensionReport } from "../api/suspension.ts";
import type { UndoAnswer, UndoRequest } from "../api/undo.ts";
import { decodeFindings } from "../api/v12-check.ts";
import { decodeConfirmed, decodePending, encodeConfirmation } from "../api/v12-confirmations.ts";
import { decodeDiff } from "../api/v12-diff.ts";
import { decodeLoggedEvents } from "../api/v12-events.ts";
import { decodeHistory } from "../api/v12-history.ts";
import { decodeImageScans } from "../api/v12-image-scans.ts";
import { decodeRequestedJob, encodeJobRequest } from "../api/v12-jobs.ts";
import { decodeLastSync } from "../api/v12-last-sync.ts";
import { decodeStatus } from "../api/v12-status.ts";
import {
  decodeSuspensionReport,
  decodeSuspensions,
  encodeResume,
  encodeSuspend,
} from "../api/v12-suspension.ts";
import { decodeSyncSettings } from "../api/v12-sync-settings.ts";
import { decodeTree } from "../api/v12-tree.ts";
import { decodeUndoAnswer, encodeUndoRequest } from "../api/v12-undo.ts";
import { decodeVerification } from "../api/v12-verification.ts";
import { decodeWhy } from "../api/v12-why.ts";
import type { WhyQuery, WhyReport } from "../api/why.ts";
import { getFrom, postTo, type Transport } from "./transport.ts";

/** Inspects one daemon. */
export class InspectionClient {
  /** To pass on requests as they are. */
  readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** The recent events of the daemon. */
  events({ after, waitMs }: EventsQuery, signal: AbortSignal): Promise<readonly LoggedEvent[]> {
    const query = { after: String(after), wait: String(Math.ceil(waitMs / 1000)) };
    return this.transport.ask(getFrom(inspectionRoutes.events, query), decodeLoggedEvents, signal);
  }

  /** The changes that a sync would make. */
  diff({ ref }: DiffQuery, signal: AbortSignal): Promise<DiffReport> {
    return this.transport.ask(getFrom(inspectionRoutes.diff, { ref }), decodeDiff, signal);
  }

  /** What determines which objects a sync applies and deletes. */
  syncSettings(signal: AbortSignal): Promise<SyncSettings> {
    return this.transport.ask(getFrom(inspectionRoutes.syncSettings), decodeSyncSettings, signal);
  }

  /** The status of all resources in git. */
  tree({ namespace }: TreeQuery, signal: AbortSignal): Promise<TreeReport> {
    return this.transport.ask(getFrom(inspectionRoutes.tree, { namespace }), decodeTree, signal);
  }

  /** The status of all resources in git when it may have changed; undefined if it hasn't after the wait. */
  changedTree(
    { namespace, after, waitMs }: TreeQuery & TreeChangeQuery,
    signal: AbortSignal,
  ): Promise<TreeReport | undefined> {
    const query = { namespace, after, wait: String(Math.ceil(waitMs / 1000)) };
    const decode: Decode<TreeReport | undefined> = (value) =>
      value === null ? undefined : decodeTree(value);
    return this.transport.ask(getFrom(inspectionRoutes.tree, query), decode, signal);
  }

  /** The deletions that wait for a confirmation. */
  pendingDeletions(signal: AbortSignal): Promise<PendingReport> {
    return this.transport.ask(getFrom(inspectionRoutes.pendingDeletions), decodePending, signal);
  }

  /** Confirms deletions. */
  confirmDeletions(confirmation: Confirmation, signal: AbortSignal): Promise<ConfirmationReport> {
    const body = encodeConfirmation(confirmation);
    return this.transport.ask(postTo(inspectionRoutes.confirmDeletions, body), decodeConfirmed, signal);
  }

  /** What happened, newest first. */
  history(query: HistoryQuery, signal: AbortSignal): Promise<HistoryPage> {
    const { before, limit, resource, namespace, kinds, since } = query;
    const asked = {
      ...{ before, limit: String(limit), resource, namespace },
      ...{ kinds: kinds.join(","), since: since?.toISOString() ?? "" },
    };
    return this.transport.ask(getFrom(inspectionRoutes.history, asked), decodeHistory, signal);
  }

  /** Requests a job under an ID of one's own; resolves to the ID. */
  requestJob(request: JobRequest, signal: AbortSignal): Promise<string> {
    const body = encodeJobRequest(request);
    return this.transport.ask(postTo(inspectionRoutes.requestJob, body), decodeRequestedJob, signal);
  }

  /** Requests that a commit is undone, or asks what that would do. */
  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoAnswer> {
    return this.transport.ask(
      postTo(inspectionRoutes.undo, encodeUndoRequest(request)),
      decodeUndoAnswer,
      signal,
    );
  }

  /** Up to where the branch is verified. */
  verification(signal: AbortSignal): Promise<VerificationReport> {
    return this.transport.ask(getFrom(inspectionRoutes.verification), decodeVerification, signal);
  }

  /** How the last sync ended. */
  lastSync(signal: AbortSignal): Promise<LastSyncReport> {
    return this.transport.ask(getFrom(inspectionRoutes.lastSync), decodeLastSync, signal);
  }

  /** The results of scanning repositories of images. */
  imageScans({ images }: ImageScansQuery, signal: AbortSignal): Promise<readonly ImageScan[]> {
    return this.transport.ask(
      getFrom(inspectionRoutes.imageScans, { images: images.join(",") }),
      decodeImageScans,
      signal,
    );
  }

  /** Why a resource, an image, or a commit is as it is. */
  why({ subject, namespace }: WhyQuery, signal: AbortSignal): Promise<WhyReport> {
    return this.transport.ask(getFrom(inspectionRoutes.why, { subject, namespace }), decodeWhy, signal);
  }

  /** Whether the cluster is as in git, and if not, why. */
  status({ fetch, brief }: StatusQuery, signal: AbortSignal): Promise<StatusReport> {
    return this.transport.ask(
      getFrom(inspectionRoutes.status, { fetch: String(fetch), brief: String(brief) }),
      decodeStatus,
      signal,
    );
  }

  /** What is suspended now. */
  suspensions(signal: AbortSignal): Promise<readonly Suspension[]> {
    return this.transport.ask(getFrom(inspectionRoutes.suspensions), decodeSuspensions, signal);
  }

  /** Suspends syncing, automated image updates, or both. */
  suspend(request: SuspendRequest, signal: AbortSignal): Promise<SuspensionReport> {
    return this.transport.ask(
      postTo(inspectionRoutes.suspend, encodeSuspend(request)),
      decodeSuspensionReport,
      signal,
    );
  }

  /** Resumes what's suspended. */
  resume(request: ResumeRequest, signal: AbortSignal): Promise<SuspensionReport> {
    return this.transport.ask(
      postTo(inspectionRoutes.resume, encodeResume(request)),
      decodeSuspensionReport,
      signal,
    );
  }

  /** The results of the daemon's self-check. */
  check(signal: AbortSignal): Promise<readonly Finding[]> {
    return this.transport.ask(postTo(inspectionRoutes.check, null), decodeFindings, signal);
  }
}
