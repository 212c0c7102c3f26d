import type { JsonValue, Unsubscribe } from "@weir/base";
import type { InspectionClient } from "../../api/client/inspection-client.ts";
import type { RemoteDaemon } from "../../api/upstream-server/remote-daemon.ts";
import type { Bus as ConsoleBus } from "../bus/bus.ts";
import type { Database } from "../store/database.ts";
import type { Job } from "../store/jobs.ts";

/** A daemon, wherever it's connected. */
export interface ReachedDaemon {
  /** Rejects like remoteDaemon. */
  readonly api: RemoteDaemon;
  /** Weir's additions; undefined for a daemon of Flux v1. */
  readonly inspection: (signal: AbortSignal) => Promise<InspectionClient | undefined>;
}

/** Messages between consoles, and to whoever listens in this one: "look again", or what can be asked for again. */
export interface Bus {
  /** Sends a message to all who listen to a topic, in this console too. */
  publish(topic: string, message: JsonValue): Promise<void>;
  subscribe(topic: string, handler: (message: JsonValue) => void): Unsubscribe;
  /** Calls a handler each time when messages may have been missed. */
  onGap(handler: () => void): Unsubscribe;
}

/** The bus of a console, whose messages are sent outside of transactions. */
export function busOver(bus: ConsoleBus, { connection }: Database): Bus {
  return {
    publish: (topic, message) => bus.publish(connection, topic, message),
    subscribe: (topic, handler) => bus.subscribe(topic, handler),
    onGap: (handler) => bus.onGap(handler),
  };
}

/** Whether a job may be sent now. */
export type Admission =
  | {
      readonly isAdmitted: true;
      /** The head of the branch, without which it must not be done; "" if that doesn't matter, or can't be known. */
      readonly revision: string;
    }
  /** Why it's not, for people. */
  | { readonly isAdmitted: false; readonly why: string };

/**
 * Decides whether a job may be sent, at the last moment: whether those who requested and approved it still may, and, if
 * it's exact, whether it would still do what was planned. Rejects if that can't be found out now; then it's asked again.
 */
export type AdmitJob = (job: Job, daemon: ReachedDaemon, signal: AbortSignal) => Promise<Admission>;

/** The topics of the hub. */
export const topics = {
  /** For one console: calls, their answers, and connections to close. */
  console: (consoleId: string) => `console:${consoleId}`,
  /** New events, of one or many instances: {"instanceIds", "ids"}. */
  events: "events",
  /** An instance or its workloads changed: {"instanceId", "workloads": IDs, or null for many}. */
  changes: "changes",
  /** An instance has a job to send, or one changed: {"instanceId", "jobId"}. */
  jobs: "jobs",
  /** An instance was removed or has another token, so its daemon has to connect again: {"instanceId"}. */
  tokens: "tokens",
} as const;
