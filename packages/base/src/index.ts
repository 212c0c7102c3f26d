/**
 * The foundation for everything else: time and waiting, JSON, text, logs, and limits. It contains nothing specific to a
 * domain, and does no I/O except in `@weir/base/node`.
 */
export { AnyAbort, abortReason, orAborted } from "./abort.ts";
export { Alarm } from "./alarm.ts";
export { type BackoffPolicy, backoffDelay } from "./backoff.ts";
export { forEachBounded, mapBounded } from "./bounded.ts";
export { type Clock, systemClock } from "./clock.ts";
export { Deadline, isTimeout, TimeoutError } from "./deadline.ts";
export { DurationError, parseDuration, printDuration } from "./duration.ts";
export type { Environment } from "./environment.ts";
export { AdvisedError, invariant, messageOf, toError } from "./errors.ts";
export { describeFileError, errorCode, isMissing } from "./file-errors.ts";
export { type Checkup, type Finding, failed, passed, runCheckups, type Verdict, warning } from "./finding.ts";
export { globMatches } from "./glob.ts";
export { GoJsonError, stringifyGoJson } from "./go-json.ts";
export { surelyMatchesGoJson } from "./go-json-match.ts";
export { compareGoStrings } from "./go-order.ts";
export { quoteGo } from "./go-quote.ts";
export { printGoTime } from "./go-time.ts";
export { Grace } from "./grace.ts";
export { printHumanDuration } from "./human-duration.ts";
export { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
export { excessOf } from "./json-bulk.ts";
export { isTooDeep, maxJsonDepth } from "./json-depth.ts";
export { equalJson } from "./json-equal.ts";
export {
  deleteMember,
  draftOf,
  isEmptyObject,
  type JsonDraft,
  memberOf,
  membersOf,
  setMember,
} from "./json-members.ts";
export {
  type Decode,
  flagAt,
  integerAt,
  JsonReader,
  JsonShapeError,
  jsonObjectAt,
  listAt,
  mapAt,
  textAt,
  textOrNullAt,
} from "./json-reader.ts";
export { weightOfJson } from "./json-weight.ts";
export {
  apiLimits,
  cloudLimits,
  daemonLimits,
  type GitLimits,
  generatorLimits,
  gitLimits,
  gitSecretLimits,
  kubernetesLimits,
  luaLimits,
  manifestLimits,
  memcachedLimits,
  registryLimits,
  upstreamLimits,
  webhookLimits,
} from "./limits.ts";
export { callAll, Listeners } from "./listeners.ts";
export { createLogger } from "./logfmt.ts";
export { type LogFields, type Logger, type LogValue, silentLogger } from "./logger.ts";
export type {
  CollectedDeclaration,
  CounterDeclaration,
  GaugeDeclaration,
  Histogram,
  HistogramDeclaration,
  Labels,
  LabelValues,
  MetricDeclaration,
  Metrics,
} from "./metrics.ts";
export { Mutex } from "./mutex.ts";
export { isWithoutTls } from "./plain-http.ts";
export { printBytes } from "./print-bytes.ts";
export { Reported } from "./reported.ts";
export { isSameSecret } from "./same-secret.ts";
export { compareVersions, parseVersion, type Version } from "./semver.ts";
export { Slots } from "./slots.ts";
export type { Unsubscribe } from "./unsubscribe.ts";
export { version } from "./version.ts";
export { makeVisible } from "./visible.ts";
export { Wake } from "./wake.ts";
