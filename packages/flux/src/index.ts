/** The words of Flux v1: images, resources, workloads, updates, events, and the errors that its API carries. */
export { sortedChanges, withoutBookkeeping } from "./cluster/bookkeeping.ts";
export type { Cluster, ExpectedResources, PublicSshKey, SshFingerprint } from "./cluster/cluster.ts";
export { type Condition, conditionOf } from "./cluster/condition.ts";
export { NothingToConfirmError, RefusedSyncError } from "./cluster/errors.ts";
export { checksumAnnotation, checksumOf, ignoreValueOf, markLabel, markOf } from "./cluster/marks.ts";
export type { FieldDifference, FieldWriter, LeftAsItIs, ObjectReport } from "./cluster/object-report.ts";
export type { ApprovedDeletions, PendingDeletions } from "./cluster/pending-deletions.ts";
export type { ResourcePreview } from "./cluster/preview.ts";
export { toYaml } from "./cluster/preview-yaml.ts";
export type { ChangeAuthor, ResourceError, SyncedChange, SyncProgress, SyncSet } from "./cluster/sync-set.ts";
export type { ResourceStatus } from "./cluster/tree.ts";
export type { RolloutStatus, Workload, WorkloadStatus } from "./cluster/workload.ts";
export { busyError } from "./errors/busy.ts";
export { FluxError, type FluxErrorKind } from "./errors/flux-error.ts";
export { OvertakenError, overtakenIn } from "./errors/overtaken.ts";
export { type SignatureProblem, UnverifiedError } from "./errors/unverified.ts";
export type { EventCommit, EventDetail, FluxEvent, SyncIncludes } from "./event/event.ts";
export { printEvent } from "./event/message.ts";
export { encodeEvent } from "./event/wire.ts";
export type { ChangedFile, ChangeLogQuery, FileVersion, LoggedCommit } from "./git/change-log.ts";
export {
  type HostCredentials,
  mergeCredentials,
  noCredentials,
  printCredentials,
  printHostCredentials,
  type RegistryCredentials,
} from "./image/credentials.ts";
export { type DockerConfig, parseDockerConfig, splitAuth } from "./image/docker-config.ts";
export { type ImageInfo, type ImageLabels, type RepositoryMetadata, unknownImageInfo } from "./image/info.ts";
export {
  canonicalImageName,
  type ImageName,
  isSameRepository,
  printImageName,
  registryOf,
  repositoryOf,
} from "./image/name.ts";
export {
  canonicalImageRef,
  emptyImageRef,
  type ImageRef,
  InvalidImageRefError,
  isSameImage,
  parseImageRef,
  parseImageRefLoosely,
  printImageRef,
  withTag,
} from "./image/ref.ts";
export {
  type ImageRegistry,
  ImageStoreAwayError,
  imageNotCachedError,
  RegistryAwayError,
  ScanningDisabledError,
} from "./image/registry.ts";
export { newestOf, sortImages } from "./image/sort.ts";
export { everyTag, needsTimestamps, parseTagPattern, type TagPattern } from "./image/tag-pattern.ts";
export { parseTimestamp, type Timestamp, timestampOf } from "./image/timestamp.ts";
export {
  clusterScope,
  InvalidResourceIdError,
  makeResourceId,
  parseResourceId,
  parseResourceIdIn,
  partsOfResourceId,
  type ResourceId,
  type ResourceIdParts,
  readResourceId,
  toldResourceId,
} from "./resource/id.ts";
export {
  booleanPolicies,
  containerOfTagPolicy,
  hasPolicy,
  type Policy,
  type PolicySet,
  type PolicyUpdate,
  tagAllPolicy,
  tagPolicyOf,
} from "./resource/policy.ts";
export { NoPolicyChangesError, type PolicyChanges, policyChanges } from "./resource/policy-changes.ts";
export type { Container, Resource } from "./resource/resource.ts";
export { tagPatternOf } from "./resource/tag-filter.ts";
export {
  type Candidates,
  decideAll,
  plannerOf,
  repositoriesOf,
  selectDefined,
  selectRunning,
} from "./update/calculate.ts";
export { releaseCommitMessage } from "./update/commit-message.ts";
export {
  confirmFindings,
  confirmResult,
  questionsAbout,
  type Replacement,
  replacementsOfFindings,
  replacementsOfResult,
} from "./update/confirm.ts";
export { automatedWorkloads, type Finding, findUpdates } from "./update/find-updates.ts";
export { parseImageSpec } from "./update/image-spec.ts";
export {
  allowsTag,
  distinctRepositories,
  exactlyOneImage,
  ImageRepositories,
  newestImage,
  type RegistryAnswer,
} from "./update/images.ts";
export type { UpdatePlanner } from "./update/planner.ts";
export {
  affectedWorkloads,
  failed,
  ignored,
  resultError,
  skipped,
  type UpdateResult,
  type UpdateStatus,
  updated,
  type WorkloadResult,
} from "./update/result.ts";
export {
  type AutomatedChange,
  allWorkloadsSpec,
  type Cause,
  type ContainerUpdate,
  latestImageSpec,
  type PolicyUpdates,
  type ReleaseContainersSpec,
  type ReleaseImageSpec,
  type ReleaseKind,
  type ReleaseSpec,
  releaseKindOf,
  type UpdateSpec,
} from "./update/spec.ts";
export { findUnplannedChange } from "./update/verify.ts";
export {
  decodeUpdateResult,
  decodeUpdateSpec,
  encodeReleaseContainersSpec,
  encodeUpdateResult,
  encodeUpdateSpec,
  resourceIdAt,
} from "./update/wire.ts";
