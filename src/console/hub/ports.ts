import type { JsonValue, Unsubscribe } from "@weir/base";
import type { Bus as ConsoleBus } from "../bus/bus.ts";
import type { Database } from "../store/database.ts";

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
