/** What a daemon said of its cluster, as the store has it. Decides only. */

import { partsOfResourceId, printImageRef } from "@weir/flux";
import {
  type ContainerImagesReport,
  describeSuspensions,
  type GitConfigReport,
  type StatusReport,
  suspensionOf,
  type WorkloadImagesReport,
  type WorkloadStatusReport,
} from "@weir/flux/api";
import type { StateChange } from "../store/instances.ts";
import type { Health, StoredContainer, SyncState } from "../store/schema.ts";
import type { NewWorkload } from "../store/workload-row.ts";

/** What was read from a daemon; what it couldn't say is undefined. */
export interface Reading {
  readonly version: string | undefined;
  readonly git: GitConfigReport | undefined;
  readonly workloads: readonly WorkloadStatusReport[] | undefined;
  /** Undefined also if the daemon has no images at all. */
  readonly images: readonly WorkloadImagesReport[] | undefined;
  /** The commits that aren't applied yet. */
  readonly unapplied: readonly string[] | undefined;
  readonly isWeir: boolean;
  /** Only Weir's daemons say this. */
  readonly status: StatusReport | undefined;
  /** Why something couldn't be read; "" if everything could. */
  readonly problem: string;
}

/** The most workloads that are kept of one instance. */
export const mostWorkloads = 20_000;

/** The workloads of an instance, with what's known of their images. */
export function workloadsOf({ workloads = [], images = [] }: Reading): readonly NewWorkload[] {
  const imagesById = new Map(images.map(({ id, containers }) => [id, containers] as const));
  return workloads
    .slice(0, mostWorkloads)
    .map((workload) => newWorkload(workload, imagesById.get(workload.id) ?? []));
}

function newWorkload(workload: WorkloadStatusReport, images: readonly ContainerImagesReport[]): NewWorkload {
  const { id, status, rollout, readOnly, policies, syncError, antecedent, containers } = workload;
  const imagesByName = new Map(images.map((each) => [each.name, each] as const));
  return {
    id,
    ...partsOfResourceId(id),
    status,
    health: healthOf(status),
    rollout: { ...rollout, messages: rollout.messages ?? [] },
    readOnly,
    policies,
    syncError,
    antecedent,
    containers: containers.map(({ name, image }) =>
      storedContainer(name, printImageRef(image), imagesByName.get(name)),
    ),
  };
}

/** The newest image is only known if the image that runs was found among the others. */
function storedContainer(
  name: string,
  image: string,
  found: ContainerImagesReport | undefined,
): StoredContainer {
  const newest = found === undefined ? "" : printImageRef(found.latestFiltered.ref);
  return { name, image, newest, newer: found?.newFilteredCount ?? 0 };
}

const healthByStatus: ReadonlyMap<string, Health> = new Map([
  ["ready", "healthy"],
  ["deployed", "healthy"],
  ["updating", "progressing"],
  ["started", "progressing"],
  ["error", "degraded"],
  ["failed", "degraded"],
]);

function healthOf(status: string): Health {
  return healthByStatus.get(status.toLowerCase()) ?? "unknown";
}

/** The state of an instance, as far as it could be read. */
export function stateOf(reading: Reading, now: number): StateChange {
  const { version, git, isWeir, status } = reading;
  return {
    lastSeenAt: new Date(now),
    kind: isWeir ? "weir" : "flux",
    problem: problemOf(reading) || cutProblem(reading),
    ...(version === undefined ? {} : { daemonVersion: version }),
    ...(git === undefined
      ? {}
      : {
          gitUrl: withoutCredentials(git.url),
          gitBranch: git.branch,
          gitPath: git.path,
          gitStatus: git.status,
        }),
    ...(status === undefined ? genuineSync(reading) : weirSync(status)),
  };
}

/** What the daemon can't do, or can't say; "" for nothing. */
export function problemOf({ problem, git }: Reading): string {
  return problem === "" ? gitProblem(git) : problem;
}

/** Nobody should believe that what isn't shown isn't there. */
function cutProblem({ workloads = [] }: Reading): string {
  return workloads.length > mostWorkloads
    ? `Of its ${workloads.length} workloads, only ${mostWorkloads} are shown.`
    : "";
}

function gitProblem(git: GitConfigReport | undefined): string {
  return git === undefined || git.errors === "" ? "" : withoutCredentials(git.errors);
}

/** Daemons leave passwords out themselves; this is for those that don't, whether it's an address or a text with one. */
export function withoutCredentials(text: string): string {
  return text
    .replaceAll(/\b(https?:\/\/)[^/@\s]*@/gi, "$1")
    .replaceAll(/(\w:\/\/[^/@:\s]*):[^/@\s]*@/g, "$1@");
}

/** Flux v1 doesn't say what was synced last; the events of its syncs do. */
function genuineSync({ unapplied, workloads }: Reading): StateChange {
  if (unapplied === undefined) {
    return {};
  }
  const failed = workloads?.some(({ syncError }) => syncError !== "") === true;
  const state: SyncState = failed ? "failed" : unapplied.length === 0 ? "synced" : "behind";
  const [head] = unapplied;
  return { syncState: state, ...(head === undefined ? {} : { headRevision: head }) };
}

function weirSync({ head, synced, behind, lastSync, suspensions }: StatusReport): StateChange {
  const { endedAt, failure, errors } = lastSync;
  const failed = failure !== "" || errors.length > 0;
  const isBehind = behind > 0 || (head !== "" && head !== synced);
  return {
    syncState: failed ? "failed" : synced === "" ? "unknown" : isBehind ? "behind" : "synced",
    headRevision: head,
    lastSyncRevision: synced,
    ...(endedAt === undefined ? {} : { lastSyncAt: endedAt }),
    suspended: suspensions.length > 0,
    syncSuspended: suspensionOf("sync", suspensions) !== undefined,
    suspendedReason: describeSuspensions(suspensions).join("; "),
  };
}

/** What is different from what was written last; the time at which the daemon was seen alone isn't worth writing. */
export function changedState(before: StateChange, after: StateChange): StateChange {
  const known: Readonly<Record<string, unknown>> = { ...before };
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => key !== "lastSeenAt" && !isSame(known[key], value)),
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}
