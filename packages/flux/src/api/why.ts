import type { JsonObject } from "@weir/base";
import type { FieldDifference, FieldWriter } from "../cluster/object-report.ts";
import type { RolloutStatus } from "../cluster/workload.ts";
import type { ResourceId } from "../resource/id.ts";
import type { PolicySet } from "../resource/policy.ts";

/** What somebody asks about. */
export interface WhyQuery {
  /** A resource, an image, or a commit, as a person names it. */
  readonly subject: string;
  /** For resources given without one. */
  readonly namespace: string;
}

/** Something that a person can do: an explanation, a command to copy, or both; the other one is "". */
export interface WhyRemedy {
  readonly text: string;
  readonly command: string;
}

/** Something that keeps the cluster or an image from being what it could be. */
export interface WhyCause {
  /** Stable, for programs, such as "locked" or "refused". */
  readonly kind: string;
  readonly concerns: "sync" | "deletion" | "health" | "images";
  readonly message: string;
  readonly remedies: readonly WhyRemedy[];
}

/** A commit, and why fluxd made it. */
export interface WhyCommit {
  readonly revision: string;
  /** "Name <email>". */
  readonly author: string;
  /** In ISO 8601. */
  readonly date: string;
  /** The whole message. */
  readonly message: string;
  /** Undefined if fluxd didn't make it. */
  readonly madeBy?: {
    readonly kind: "automation" | "release" | "policy change" | "sync";
    /** "" if it isn't known. */
    readonly user: string;
    readonly message: string;
  };
}

/** How far the cluster is. */
export interface WhySync {
  /** What a sync would apply now: the head of the branch as of the last fetch, or "". */
  readonly head: string;
  /** The last synced revision; "" for none. */
  readonly synced: string;
  readonly state: "synced" | "pending" | "waiting" | "failing" | "never";
  /** When the last sync of this fluxd ended, in ISO 8601; "" if none has yet. */
  readonly at: string;
  readonly waitingFor: readonly ResourceId[];
  readonly failures: readonly string[];
}

/** A container and its image. */
export interface WhyContainer {
  readonly name: string;
  readonly image: string;
}

/** The manifest of a resource. */
export interface WhyManifest {
  /** The file, or the generator. */
  readonly source: string;
  /** The lines of its document, counted from 1; 0 if they aren't known. */
  readonly line: number;
  readonly lastLine: number;
  /** As it's loaded; "" if it's confidential, and from older daemons. */
  readonly text: string;
  readonly containers: readonly WhyContainer[];
  readonly policies: PolicySet;
  /** The last commit that changed these lines; undefined if it isn't known. */
  readonly commit?: WhyCommit;
}

/** A live object. */
export interface WhyLive {
  readonly apiVersion: string;
  readonly health: string;
  readonly healthMessage: string;
  /** What owns it, such as "ReplicaSet web-1"; "" for nothing. */
  readonly owner: string;
  readonly containers: readonly WhyContainer[];
  /** Only of workloads. */
  readonly replicas?: Pick<RolloutStatus, "desired" | "updated" | "ready">;
  /** The latest first. */
  readonly writers: readonly FieldWriter[];
  /** As it's read; undefined if it's confidential, and from older daemons. */
  readonly object?: JsonObject;
}

/** What all answers have. */
interface Answer {
  /** What was meant. */
  readonly subject: string;
  /** The answer in one sentence. */
  readonly verdict: string;
  /** The most important one first; empty if nothing holds it up. */
  readonly causes: readonly WhyCause[];
}

/** Why a resource is as it is. */
export interface ResourceAnswer extends Answer {
  readonly kind: "resource";
  readonly sync: WhySync;
  /** Compared with its manifest; "" if it isn't in git. */
  readonly status: string;
  /** Undefined if it isn't in git. */
  readonly git?: WhyManifest;
  /** Undefined if there's no live object. */
  readonly live?: WhyLive;
  readonly differences: readonly FieldDifference[];
}

/** What's known about the images of a repository. */
export interface WhyScan {
  /**
   * "off" if fluxd doesn't scan images, "waiting" for the first scan, "stale" if there are images, but the last scan
   * failed.
   */
  readonly state: "scanned" | "waiting" | "stale" | "failed" | "off";
  readonly error: string;
  /** How many tags there are. */
  readonly tags: number;
}

/** A container that uses an image's repository. */
export interface WhyImageUse {
  readonly workload: ResourceId;
  readonly container: string;
  /** What it runs, or would run. */
  readonly image: string;
  /** The tag filter. */
  readonly filter: string;
  /** "runs" the image, fluxd "moves" to it by itself, or it "stays" where it is. */
  readonly outcome: "runs" | "moves" | "stays";
  /** Why it stays. */
  readonly causes: readonly WhyCause[];
}

/** Why an image runs where it runs. */
export interface ImageAnswer extends Answer {
  readonly kind: "image";
  readonly scan: WhyScan;
  readonly uses: readonly WhyImageUse[];
}

/** What became of a commit. */
export interface CommitAnswer extends Answer {
  readonly kind: "commit";
  readonly commit: WhyCommit;
  readonly sync: WhySync;
  readonly isOnBranch: boolean;
  readonly isSynced: boolean;
  /** Whether its signature counts; "not required" without --git-verify-signatures. */
  readonly verified: "yes" | "no" | "not required";
  readonly changes: readonly WhyChange[];
  /** Why the changes aren't known; "" if they are. */
  readonly problem: string;
}

/** A resource that a commit changed. */
export interface WhyChange {
  readonly id: ResourceId;
  readonly change: "added" | "changed" | "removed";
  readonly source: string;
  /** Why the last sync couldn't apply it, or "". */
  readonly error: string;
}

/** Nothing has that name. */
export interface UnknownAnswer extends Answer {
  readonly kind: "unknown";
  /** What there is, to suggest a name: some of it, if it's a lot. */
  readonly known: readonly string[];
}

/** The answer to "why is it like this?". */
export type WhyReport = ResourceAnswer | ImageAnswer | CommitAnswer | UnknownAnswer;
