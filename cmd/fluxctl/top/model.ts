/**
 * What `fluxctl top` knows and shows: a pure model. Takes events (keys, news from fluxd, results of actions), and
 * returns the next state and what's to be done (update.ts); view.ts turns a state into lines.
 */

import type { ResourceId, ResourceStatus } from "@weir/flux";
import type { LoggedEvent, WorkloadStatusReport } from "@weir/flux/api";
import type { Tone } from "./line.ts";

/** A key: a character as itself, or one of the longer names, such as "up" or "enter". */
export type Key = string;

/** What fluxd says about git and the cluster. */
export interface Findings {
  readonly revision: string;
  readonly resources: readonly ResourceStatus[];
  readonly workloads: ReadonlyMap<ResourceId, WorkloadStatusReport>;
  /** How many commits aren't applied yet; undefined if that isn't known. */
  readonly unapplied: number | undefined;
}

/** An image that can be released. */
export interface ImageChoice {
  readonly container: string;
  /** With its tag. */
  readonly image: string;
  /** An RFC 3339 time, or "". */
  readonly createdAt: string;
  readonly isRunning: boolean;
}

/** A text in a message, with its meaning. */
export interface Remark {
  readonly tone: Tone;
  readonly text: string;
}

/** What a person types a text for. */
export type Purpose = "filter" | "lock" | "unlock";

/** What covers the tree; at most one at a time. */
export type Overlay =
  | {
      readonly kind: "text";
      readonly title: string;
      readonly lines: readonly Remark[];
      readonly scroll: number;
    }
  | { readonly kind: "help" | "details" | "events"; readonly scroll: number }
  | { readonly kind: "wait"; readonly what: string; readonly task: number }
  | {
      readonly kind: "images";
      readonly id: ResourceId;
      readonly choices: readonly ImageChoice[];
      readonly cursor: number;
    }
  | {
      readonly kind: "confirm";
      readonly id: ResourceId;
      readonly image: string;
      /** What would be done. */
      readonly lines: readonly Remark[];
      readonly scroll: number;
    }
  | {
      readonly kind: "input";
      readonly purpose: Purpose;
      readonly id: ResourceId | undefined;
      readonly text: string;
      /** The text when the input was opened, to which escape returns. */
      readonly before: string;
    };

/** Everything that is shown. */
export interface TopState {
  readonly columns: number;
  readonly rows: number;
  /** Who and what is connected, for the first line. */
  readonly title: string;
  readonly findings: Findings;
  /** Oldest first. */
  readonly events: readonly LoggedEvent[];
  /** That fluxd can't be reached or can't tell, and why; "" if it can. */
  readonly lost: string;
  /** Something that everybody should know about the daemon, such as that it's suspended; "" for nothing. */
  readonly banner: string;
  /** What was last said about an action. */
  readonly remark: Remark;
  /** A change that is being made; "" for none. */
  readonly running: string;
  /** The number of the latest task, to recognize results that nobody waits for anymore. */
  readonly task: number;
  /** The nodes that aren't open or closed as they are at first. */
  readonly toggled: ReadonlySet<string>;
  /** The key of the selected node. */
  readonly cursor: string;
  /** The first visible row of the tree. */
  readonly scroll: number;
  readonly filter: string;
  /** Show only what needs attention. */
  readonly troubleOnly: boolean;
  readonly overlay: Overlay | undefined;
}

/** Something that happened. */
export type TopEvent =
  | { readonly kind: "key"; readonly key: Key }
  | { readonly kind: "resized"; readonly columns: number; readonly rows: number }
  | { readonly kind: "found"; readonly findings: Findings }
  | { readonly kind: "logged"; readonly events: readonly LoggedEvent[] }
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "regained" }
  /** What everybody should know about the daemon; "" for nothing. */
  | { readonly kind: "banner"; readonly text: string }
  /** What a change of the repository is doing. */
  | { readonly kind: "progress"; readonly what: string }
  /** A change of the repository ended. */
  | { readonly kind: "changed"; readonly remark: Remark }
  /** A task that somebody waits for failed. */
  | { readonly kind: "failed"; readonly task: number; readonly reason: string }
  | {
      readonly kind: "diffed";
      readonly task: number;
      readonly title: string;
      readonly lines: readonly Remark[];
    }
  | {
      readonly kind: "listed";
      readonly task: number;
      readonly id: ResourceId;
      readonly choices: readonly ImageChoice[];
    }
  | {
      readonly kind: "planned";
      readonly task: number;
      readonly id: ResourceId;
      readonly image: string;
      readonly lines: readonly Remark[];
      /** False if the release would change nothing. */
      readonly changes: boolean;
    };

/** Something to do. */
export type Effect =
  | { readonly kind: "quit" }
  | { readonly kind: "diff"; readonly task: number; readonly id: ResourceId | undefined }
  | { readonly kind: "list-images"; readonly task: number; readonly id: ResourceId }
  | { readonly kind: "plan"; readonly task: number; readonly id: ResourceId; readonly image: string }
  | { readonly kind: "release"; readonly id: ResourceId; readonly image: string }
  | { readonly kind: "lock" | "unlock"; readonly id: ResourceId; readonly reason: string };

/** A state, and what to do because of the event that led to it. */
export interface Step {
  readonly state: TopState;
  readonly effects: readonly Effect[];
}

const nothingFound: Findings = { revision: "", resources: [], workloads: new Map(), unapplied: undefined };

/** How many events are kept. */
export const keptEvents = 200;

/** Before anything is known. */
export function initialState(title: string, columns: number, rows: number): TopState {
  return {
    columns,
    rows,
    title,
    findings: nothingFound,
    events: [],
    lost: "",
    banner: "",
    remark: { tone: "plain", text: "" },
    running: "",
    task: 0,
    toggled: new Set(),
    cursor: "",
    scroll: 0,
    filter: "",
    troubleOnly: false,
    overlay: undefined,
  };
}
