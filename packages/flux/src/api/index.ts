/** Flux v1's API as data: what is asked and answered, in each of its versions, and Weir's own version 12. */
export type {
  ApiServer,
  Change,
  ContainerImagesReport,
  GitConfigReport,
  GitStatus,
  JobResult,
  JobState,
  JobStatusReport,
  ListImagesOptions,
  ListWorkloadsOptions,
  ReadOnlyReason,
  WorkloadImagesReport,
  WorkloadStatusReport,
} from "./api-server.ts";
export {
  type ContainerField,
  noImage,
  parseContainerFields,
  reportContainer,
  UnknownFieldError,
} from "./container-images.ts";
export { describeUnverified } from "./describe-unverified.ts";
export {
  decodeFluxError,
  encodeFluxError,
  UnknownEndpointError,
  unauthorizedError,
  unknownEndpointError,
} from "./errors.ts";
export {
  type HistoryEntry,
  type HistoryKind,
  type HistoryPage,
  type HistoryQuery,
  historyKinds,
} from "./history.ts";
export type {
  Confirmation,
  ConfirmationReport,
  DiffQuery,
  DiffReport,
  EventsQuery,
  ImageScan,
  ImageScansQuery,
  Inspection,
  LastSyncReport,
  LoggedEvent,
  PendingReport,
  ResourceCounts,
  StatusQuery,
  StatusReport,
  SyncSettings,
  TreeChangeQuery,
  TreeQuery,
  TreeReport,
  VerificationReport,
} from "./inspection.ts";
export { decodeJobStatus, encodeJobResult, encodeJobStatus } from "./job.ts";
export type { JobRequest, RequestedWork } from "./job-request.ts";
export { apiBasePath, inspectionRoutes, type Route, routes } from "./routes.ts";
export {
  describeSuspensions,
  nameSuspended,
  printMoment,
  type ResumeRequest,
  type Suspendable,
  type SuspendRequest,
  type Suspension,
  type SuspensionReport,
  suspendable,
  suspensionOf,
} from "./suspension.ts";
export type { UndoAnswer, UndoPlan, UndoRequest } from "./undo.ts";
export { decodeGitConfig, decodeWorkloads, encodeWorkloads } from "./v6.ts";
export { decodeImageList, encodeImageList } from "./v6-images.ts";
export { encodeChange } from "./v9.ts";
export { encodeListImagesOptions } from "./v10.ts";
export { encodeListServicesOptions } from "./v11.ts";
export { encodeFindings } from "./v12-check.ts";
export { encodePending } from "./v12-confirmations.ts";
export { encodeDiff } from "./v12-diff.ts";
export { encodeLoggedEvents } from "./v12-events.ts";
export { encodeHistory } from "./v12-history.ts";
export { encodeRouteRequest, inspectMethod, inspectTimeout, type RouteRequest } from "./v12-inspect.ts";
export { decodeJobRequest } from "./v12-jobs.ts";
export { decodeStatus, encodeStatus } from "./v12-status.ts";
export { decodeSuspensions, encodeSuspensions } from "./v12-suspension.ts";
export { decodeSyncSettings, encodeSyncSettings } from "./v12-sync-settings.ts";
export { encodeTree } from "./v12-tree.ts";
export { decodeUndoRequest, encodeUndoRequest } from "./v12-undo.ts";
export { decodeWhy, encodeWhy } from "./v12-why.ts";
export type {
  CommitAnswer,
  ImageAnswer,
  ResourceAnswer,
  UnknownAnswer,
  WhyCause,
  WhyChange,
  WhyCommit,
  WhyContainer,
  WhyImageUse,
  WhyLive,
  WhyManifest,
  WhyQuery,
  WhyRemedy,
  WhyReport,
  WhyScan,
  WhySync,
} from "./why.ts";
