/** Decides whether what somebody waits for is reached, and whether it can be without somebody. Without I/O. */

import {
  type Condition,
  canonicalImageRef,
  conditionOf,
  type ImageRef,
  isSameImage,
  printImageRef,
  type ResourceId,
  type ResourceStatus,
} from "@weir/flux";
import {
  describeSuspensions,
  type StatusReport,
  suspensionOf,
  type WorkloadStatusReport,
} from "@weir/flux/api";
import { printCondition } from "../output/status.ts";

/** What somebody waits for. */
export interface Goal {
  /** The revision to be synced; undefined if that doesn't matter. */
  readonly revision?: string;
  readonly health: boolean;
  readonly image?: ImageRef;
  /** The resources that matter; empty for all that were listed. */
  readonly ids: readonly ResourceId[];
  /** The resources that don't matter, even if they're named or listed. */
  readonly excluded?: readonly ResourceId[];
}

/** What the daemon has answered. */
export interface Seen {
  readonly status: StatusReport;
  /** How many commits up to the revision aren't applied; undefined if fluxd doesn't know the revision. */
  readonly missing: number | undefined;
  readonly resources: readonly ResourceStatus[];
  readonly workloads: readonly WorkloadStatusReport[];
  /** What looked stuck the last time. It isn't believed at once, because it may be what a rollout replaces. */
  readonly suspects: ReadonlySet<ResourceId>;
}

/** Where it is. */
export interface Verdict {
  /** What isn't reached yet, a line for each. */
  readonly waiting: readonly string[];
  /** What is reached, in words. */
  readonly reached: readonly string[];
  /** Why it can't be reached without somebody; empty if it can. */
  readonly stuck: readonly string[];
  readonly suspects: ReadonlySet<ResourceId>;
}

type Part = Omit<Verdict, "suspects">;

const nothing: Part = { waiting: [], reached: [], stuck: [] };

/** Judges what was seen. Health and images count only once the revision is synced: it may change them. */
export function decide(goal: Goal, seen: Seen): Verdict {
  const sync = goal.revision === undefined ? nothing : judgeSync(goal, goal.revision, seen);
  if (sync.waiting.length > 0 || sync.stuck.length > 0) {
    return { ...sync, suspects: new Set() };
  }
  const conditions = goal.health || goal.image !== undefined ? conditionsOf(goal, seen) : [];
  const parts = [
    sync,
    ...(goal.health ? [judgeHealth(goal, seen, conditions)] : []),
    ...(goal.image === undefined ? [] : [judgeImage(goal.image, goal, seen)]),
  ];
  const suspects = new Set(conditions.filter(looksStuck).map(({ culprit }) => culprit));
  const stuck = conditions.filter((each) => needsSomebody(each, seen));
  return {
    waiting: parts.flatMap(({ waiting }) => waiting),
    reached: parts.flatMap(({ reached }) => reached),
    stuck: [...parts.flatMap((part) => part.stuck), ...stuck.map(printCondition)],
    suspects,
  };
}

function judgeSync(goal: Goal, revision: string, { status, missing }: Seen): Part {
  const short = revision.slice(0, 7);
  const blockers = missing === 0 ? refusedIn(goal, status) : blockersOf(status);
  if (blockers.length > 0) {
    return { ...nothing, stuck: blockers };
  }
  if (missing === 0) {
    return { ...nothing, reached: [`synced to ${short}`] };
  }
  const { waitingFor, failure } = status.lastSync;
  const why =
    waitingFor.length > 0
      ? `: it waits for ${waitingFor.join(", ")}`
      : status.git.status !== "ready"
        ? `: git is ${status.git.status}: ${status.git.errors.trim()}`
        : failure === ""
          ? ""
          : `: ${failure}`;
  const what =
    missing === undefined
      ? `fluxd to fetch ${short}`
      : `${short} to be synced, ${missing} commit${missing === 1 ? "" : "s"} to go`;
  return { ...nothing, waiting: [`${what}${why}`] };
}

/** What keeps syncs from getting to the head until somebody acts. */
function blockersOf({ suspensions, git, lastSync, head, findings }: StatusReport): readonly string[] {
  const suspension = suspensionOf("sync", suspensions);
  const isUnreadable = lastSync.failure.startsWith("loading resources from repo: ");
  const isRefused = lastSync.failure !== "" && lastSync.errors.length > 0;
  return [
    ...(suspension === undefined ? [] : describeSuspensions([suspension])),
    ...(git.status === "unconfigured" ? ["no git repository is configured"] : []),
    ...(lastSync.revision === head && (isUnreadable || isRefused) ? [lastSync.failure] : []),
    ...(lastSync.revision === head && isRefused ? lastSync.errors.map(printError) : []),
    ...findings
      .filter(({ subject, verdict }) => subject === "signatures" && verdict === "failed")
      .map(({ found }) => found),
  ];
}

/** What the sync of what is synced now couldn't apply. */
function refusedIn(goal: Goal, { lastSync, synced }: StatusReport): readonly string[] {
  return lastSync.revision === synced
    ? lastSync.errors.filter(({ id }) => isWanted(id, goal)).map(printError)
    : [];
}

function printError({ id, error }: { readonly id: ResourceId; readonly error: string }): string {
  return `${id}: ${error.trim()}`;
}

/** Of the resources in git that matter, and of named workloads that aren't in git. */
function conditionsOf(goal: Goal, { resources, workloads }: Seen): readonly Condition[] {
  const inGit = resources.filter(({ id }) => isWanted(id, goal)).map(conditionOf);
  const others = goal.ids.filter((id) => isWanted(id, goal) && !resources.some((each) => each.id === id));
  return [...inGit, ...others.map((id) => conditionOfWorkload(id, workloads))];
}

/** Flux's status, and the Helm operator's for a HelmRelease. */
const readyWords: readonly string[] = ["ready", "deployed"];

function conditionOfWorkload(id: ResourceId, workloads: readonly WorkloadStatusReport[]): Condition {
  const workload = workloads.find((each) => each.id === id);
  if (workload === undefined) {
    return { id, is: "pending", message: "neither in git nor in the cluster", culprit: id };
  }
  const messages = workload.rollout.messages ?? [];
  const isReady = readyWords.includes(workload.status);
  return {
    id,
    is: messages.length > 0 ? "degraded" : isReady ? "healthy" : "pending",
    message: messages.length > 0 ? messages.join("; ") : isReady ? "" : workload.status,
    culprit: id,
  };
}

function judgeHealth({ ids, excluded = [] }: Goal, _seen: Seen, conditions: readonly Condition[]): Part {
  const sick = conditions.filter(({ is }) => is !== "healthy");
  const kind = excluded.length === 0 ? "resources" : "other resources";
  const all = ids.length === 0 ? `all ${conditions.length} ${kind} are healthy` : "";
  const each = ids.map((id) => `${id} is healthy`).join(", ");
  return {
    ...nothing,
    waiting: sick.map(printCondition),
    reached: sick.length > 0 ? [] : [ids.length === 0 ? all : each],
  };
}

/** All containers of the repository that matter must run the image, and be rolled out; at least one must be there. */
function judgeImage(image: ImageRef, goal: Goal, { workloads }: Seen): Part {
  const wanted = canonicalImageRef(image);
  const using = workloads
    .filter(({ id }) => isWanted(id, goal))
    .map((workload) => ({ workload, others: otherTags(workload, wanted) }))
    .filter(({ others }) => others !== undefined);
  const name = printImageRef(image);
  if (using.length === 0) {
    return { ...nothing, waiting: [`no workload uses an image of the repository of ${name}`] };
  }
  const waiting = using.flatMap(({ workload, others = [] }) => {
    const { id, status } = workload;
    return others.length > 0
      ? [`${id}: runs ${others.join(", ")}`]
      : readyWords.includes(status)
        ? []
        : [`${id}: ${name} is ${status}`];
  });
  const names = using.map(({ workload }) => workload.id).join(", ");
  return { ...nothing, waiting, reached: waiting.length === 0 ? [`${name} runs in ${names}`] : [] };
}

/** The other images of the repository that a workload uses; undefined if it uses none of the repository. */
function otherTags({ containers }: WorkloadStatusReport, wanted: ImageRef): readonly string[] | undefined {
  const images = containers.map(({ image }) => image);
  const same = images.filter((image) => sameRepository(image, wanted));
  return same.length === 0
    ? undefined
    : same.filter((image) => !isSameImage(canonicalImageRef(image), wanted)).map(printImageRef);
}

function sameRepository(image: ImageRef, wanted: ImageRef): boolean {
  const untagged = { ...canonicalImageRef(image), tag: wanted.tag };
  return isSameImage(untagged, wanted);
}

/** What doesn't go away by itself: an image that can't be pulled, not a container that is restarted. */
const lasting =
  /back-?off pulling image|ImagePullBackOff|ErrImageNeverPull|InvalidImageName|CreateContainerConfigError/i;

/** A problem of an object that the resource owns, and that it may be about to replace. */
function looksStuck({ is, id, culprit, message }: Condition): boolean {
  return is === "degraded" && culprit !== id && lasting.test(message);
}

function needsSomebody(condition: Condition, { suspects }: Seen): boolean {
  const { is, id, culprit, message } = condition;
  if (is !== "degraded") {
    return false;
  }
  return culprit === id
    ? !/:pod\//.test(id) || lasting.test(message)
    : looksStuck(condition) && suspects.has(culprit);
}

function isWanted(id: ResourceId, { ids, excluded = [] }: Goal): boolean {
  return (ids.length === 0 || ids.includes(id)) && !excluded.includes(id);
}
